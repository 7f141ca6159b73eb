import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import type { Standing, UsedCluster } from "../../../shared/kube/client/index.ts";
import { connectionObject, type FoundState } from "../../../shared/kube/cluster-names.ts";
import { defineClusters } from "../../../shared/kube/clusters.ts";
import { parseApiVersion } from "../../../shared/kube/object.ts";
import { silent } from "../../../shared/log/log.ts";
import type { AwaitedObject } from "../awaited/waits.ts";
import { AwaitedConnections } from "./connections.ts";

const runtimes = defineClusters("runtime", {
  secret: { namespace: "kcp-system", label: "example.org/runtime", key: "config" },
});
const REFERENCE = "@runtime:rt-1";

const waitOf = (found: FoundState | undefined): AwaitedObject => {
  const { apiVersion, kind, name } = connectionObject(REFERENCE, found ?? "unreachable");
  const { group, version } = parseApiVersion(apiVersion);
  return { cluster: "home", group, kind, name, version: found === undefined ? "v1" : version };
};

describe("the connections that keys wait for", () => {
  let home: TestApi;
  let connections: AwaitedConnections;
  beforeAll(async () => {
    home = await startTestApi({ api: "local", controllers: false });
  });
  afterAll(() => home.stop());
  afterEach(() => connections.stop());

  /** A watcher that takes the cluster for so, and of which a probe finds it otherwise; what was told, by whom. */
  const begun = (known: FoundState, truth: FoundState) => {
    let state = known;
    const told: string[] = [];
    let probes = 0;
    let [reason, next] = ["", ""];
    const standing = (): Standing => ({ state, reason });
    const used: UsedCluster = {
      reference: REFERENCE,
      client: home.client,
      get standing() {
        return standing();
      },
      isSlow: false,
      look: async () => standing(),
      probe: async () => {
        probes += 1;
        const before = state;
        state = truth;
        reason = next;
        // Whoever subscribes to the clusters tells it so.
        if ((before === "reachable") !== (truth === "reachable"))
          told.push(truth === "reachable" ? "connection reachable" : `loss ${truth}`);
        return standing();
      },
      heard: () => undefined,
      rest: () => undefined,
    };
    connections = new AwaitedConnections({
      client: home.client,
      others: { at: () => used, hold: () => () => undefined },
      clusters: () => new Map([[runtimes.id, runtimes]]),
      clock: new ManualClock(Date.now()),
      log: silent,
      tell: (_, { state }, tells) => void told.push(`${tells} ${state}`),
    });
    return {
      told,
      probes: () => probes,
      /** The reason that the next probe finds. */
      finds: (why: string) => {
        next = why;
      },
      waits: async (found: FoundState | undefined) => {
        const before = probes;
        connections.await([waitOf(found)]);
        await eventually("a look", () => probes > before);
        return { probes };
      },
    };
  };

  for (const [found, known, truth, told] of [
    ["reachable", "reachable", "reachable", []],
    ["reachable", "unreachable", "unreachable", ["loss unreachable"]],
    // It is there again, and the watcher's own probe was not due yet.
    ["reachable", "unreachable", "reachable", ["connection reachable"]],
    // Its Secret went while nobody waited for it.
    ["reachable", "reachable", "no secret", ["loss no secret"]],
    ["unreachable", "unreachable", "unreachable", []],
    // It hangs, and the watcher asked it nothing since.
    ["unreachable", "reachable", "unreachable", ["loss unreachable"]],
    ["unreachable", "reachable", "reachable", ["connection reachable"]],
    ["no secret", "unreachable", "unreachable", ["connection unreachable"]],
    ["no secret", "no secret", "no secret", []],
    ["several secrets", "reachable", "unreachable", ["loss unreachable", "connection unreachable"]],
    [undefined, "reachable", "reachable", ["connection reachable"]],
    [undefined, "unreachable", "unreachable", ["connection unreachable"]],
  ] as const)
    it(`tell who found one ${found ?? "in whatever state"}, known as ${known} and ${truth}: ${told.join(", ") || "nothing"}`, async () => {
      const scene = begun(known, truth);
      const { probes } = await scene.waits(found);
      await eventually("all to be told", () => scene.told.length >= told.length);
      await turn();
      assert.deepEqual(scene.told, told);
      assert.equal(probes, 1, "what is known is neither confirmed nor contradicted before it is asked anew");
    });

  it("tell anew what is wrong with a Secret that is mended by parts, and not what is wrong as before", async () => {
    const scene = begun("unreachable", "unreachable");
    await scene.waits("unreachable");
    const namespaces = { group: "", version: "v1", kind: "Namespace", plural: "namespaces" } as const;
    const secrets = { group: "", version: "v1", kind: "Secret", plural: "secrets" } as const;
    const write = async (text: string): Promise<void> => {
      const before = scene.probes();
      const place = { name: "one", namespace: "kcp-system" };
      const metadata = { ...place, labels: { "example.org/runtime": "rt-1" } };
      const body = { apiVersion: "v1", kind: "Secret", metadata, stringData: { config: text } };
      const by = { fieldManager: "user", force: true };
      await home.client.apply({ ...secrets, scope: "Namespaced" }, place, body, by);
      await eventually("a look", () => scene.probes() > before);
      await turn();
    };
    const created = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kcp-system" } };
    await home.client.create({ ...namespaces, scope: "Cluster" }, created, { fieldManager: "user" });
    scene.finds("it is empty");
    await write("1");
    assert.deepEqual(scene.told, ["connection unreachable"]);
    await write("2");
    assert.deepEqual(scene.told, ["connection unreachable"]);
    scene.finds("it is no kubeconfig");
    await write("3");
    assert.deepEqual(scene.told, ["connection unreachable", "connection unreachable"]);
    scene.finds("it did not answer within 3 s");
    await write("4");
    scene.finds("it did not answer within 4.7 s");
    await write("5");
    assert.equal(scene.told.length, 3, "a probe waits for longer where all are slow");
    const at = { name: "one", namespace: "kcp-system" };
    await home.client.delete({ ...secrets, scope: "Namespaced" }, at, { uid: undefined });
  });

  it("say nothing to those who find one as it is known, however many they are", async () => {
    const scene = begun("unreachable", "unreachable");
    await scene.waits("unreachable");
    connections.await([waitOf("unreachable"), waitOf("unreachable")]);
    const after = await scene.waits("reachable");
    connections.keep([waitOf("unreachable"), waitOf("reachable")]);
    await turn();
    assert.equal(after.probes, 2);
    assert.deepEqual(scene.told, ["loss unreachable"]);
  });

  it("say it once to those of whom only an answer of the bus tells", async () => {
    const scene = begun("unreachable", "unreachable");
    await scene.waits("unreachable");
    const answer = [waitOf("unreachable"), waitOf("reachable")];
    connections.keep(answer);
    await eventually("it to be told", () => scene.told.length > 0);
    connections.keep(answer);
    const after = await scene.waits("reachable");
    assert.equal(after.probes, 3, "the same answer is no news");
    await eventually("who begins to wait to be told", () => scene.told.length > 1);
    assert.deepEqual(scene.told, ["loss unreachable", "loss unreachable"]);
  });
});
