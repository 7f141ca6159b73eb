import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { apply, defineClusters, defineKind, defineSystem, each, unwatched } from "../../index.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { connectTo } from "../../infra/testing/remote-cluster.ts";
import { shortAlarms } from "../../infra/testing/short-alarms.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { SECRETS } from "../../shared/kube/client/cluster-secret.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";

const runtimes = defineClusters("runtime", {
  secret: { namespace: "kubeconfigs", label: "labels.example.org/runtime", key: "config" },
});
class RuntimeMap extends runtimes.kind(ConfigMap) {}
/** Something that each runtime shall have, whose name is the runtime's. */
class Gift extends defineKind({
  group: "labels.example.org",
  version: "v1",
  kind: "Gift",
  scope: "Cluster",
  fields: { spec: z.object({ text: z.string() }) },
  status: z.object({ phase: z.string().optional(), reason: z.string().optional() }),
}) {}

const system = defineSystem({
  name: "gifts",
  config: z.object({ target: z.enum(["local", "secret"]).default("secret") }),
  clusters: (config) => ({ runtime: config.target }),
  functions: [
    each(Gift).function({
      name: "give",
      writes: [unwatched(RuntimeMap, "written once for each gift")],
      observe: async ({ self, read }) => ({ there: await read.cluster(runtimes, self.metadata.name) }),
      reconcile: ({ self, there }) =>
        there.state === "reachable"
          ? {
              effects: apply(RuntimeMap, {
                metadata: { cluster: there.cluster, namespace: "default", name: "gift" },
                data: { text: self.spec.text },
              }),
              status: { phase: "given" },
            }
          : { status: { phase: there.state, reason: there.reason }, waitingFor: [there.wait] },
    }),
  ],
});
const GIFTS = resourceOf(Gift);
const MAPS = resourceOf(ConfigMap);
const gift = {
  apiVersion: "labels.example.org/v1",
  kind: "Gift",
  metadata: { name: "rt-1" },
  spec: { text: "tea" },
};
const there = { namespace: "default", name: "gift" };

describe("a cluster whose Secret a label finds", () => {
  it("is found in whichever order it and its objects come, and let alone while two Secrets name it", async (t) => {
    const stack = await startStack({
      api: "local",
      clock: shortAlarms,
      systems: [system],
      clusters: [{ clusters: runtimes, name: "rt-1", connected: false }],
    });
    t.onTestFinished(() => stack.stop());
    const [remote] = stack.remotes;
    assert.ok(remote);
    const phase = (wanted: string): Promise<true> =>
      eventually(`it to be ${wanted}`, async () => {
        const found = await stack.client.get(GIFTS, { name: "rt-1" });
        return (found?.status as { readonly phase?: string } | undefined)?.phase === wanted;
      });
    const dropSecret = (name: string) =>
      stack.client.delete(SECRETS, { namespace: "kubeconfigs", name }, { uid: undefined });
    await stack.apply(gift);
    await phase("no secret");
    await stack.settled();
    assert.equal(await stack.client.get(MAPS, there), undefined, "nothing is given to the home instead");
    // A watch tells of the Secret: no look comes due.
    await connectTo(stack.client, remote);
    await phase("given");
    assert.deepEqual((await remote.client.get(MAPS, there))?.data, { text: "tea" });
    await stack.client.delete(GIFTS, { name: "rt-1" }, { uid: undefined });
    await remote.client.delete(MAPS, there, { uid: undefined });
    const other = await connectTo(stack.client, remote, { named: "other" });
    await stack.settled();
    await stack.restartEngine();
    await stack.apply(gift);
    await phase("several secrets");
    await stack.settled();
    assert.equal(await remote.client.get(MAPS, there), undefined, "no request was sent there");
    await dropSecret(other.metadata.name);
    await phase("given");
    assert.deepEqual((await remote.client.get(MAPS, there))?.data, { text: "tea" });
  });

  it("wakes nobody who found it there when others begin to wait for it, and all of them when it goes", async (t) => {
    const keeper = (name: string) =>
      each(Gift, { status: [] }).function({
        name,
        reads: [unwatched(RuntimeMap, "only whether its cluster is there counts")],
        observe: async ({ self, read }) => ({ there: await read.cluster(runtimes, self.metadata.name) }),
        reconcile: ({ there: { wait } }) => ({ waitingFor: [wait] }),
      });
    const names = ["first", "second", "third", "fourth"];
    const stack = await startStack({
      api: "local",
      systems: [defineSystem({ name: "keepers", functions: names.map(keeper) })],
      clusters: [{ clusters: runtimes, name: "rt-1" }],
    });
    t.onTestFinished(() => stack.stop());
    const ran = (): readonly string[] =>
      stack
        .runs()
        .map((run) => run.function)
        .toSorted();
    await stack.apply(gift);
    await stack.settled();
    assert.deepEqual(ran(), names.toSorted(), "each once");
    const [secret] = (await stack.client.list(SECRETS, { namespace: "kubeconfigs" })).items;
    await stack.client.delete(SECRETS, secret?.metadata ?? { name: "" }, { uid: undefined });
    await eventually("all to hear of it", async () =>
      names.every((name) => ran().filter((one) => one === name).length > 1),
    );
    await stack.settled();
  });

  it("is the home where the configuration says so, and needs no Secret then", async (t) => {
    const stack = await startStack({
      api: "local",
      systems: [system],
      configuration: { gifts: { target: "local" } },
    });
    t.onTestFinished(() => stack.stop());
    await stack.apply(gift);
    await stack.settled();
    assert.deepEqual((await stack.client.get(MAPS, there))?.data, { text: "tea" });
  });
});
