import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, describe, it } from "vitest";
import { catalogue } from "../../events/index.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { type LeapingClock, leapingClock } from "../../infra/testing/leaping-clock.ts";
import { mortalHost } from "../../infra/testing/mortal-client.ts";
import { connectTo, type RemoteCluster, startRemoteCluster } from "../../infra/testing/remote-cluster.ts";
import { type Stack, startStack } from "../../infra/testing/stack.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { configuredFunctions } from "../../shared/host/configuration.ts";
import { functionConsole } from "../../shared/host/console/index.ts";
import { SECRETS } from "../../shared/kube/client/cluster-secret.ts";
import { OtherClusters } from "../../shared/kube/client/index.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Copy, Letter, letters, plainly, plants, sorted } from "./letters.ts";

const LETTERS = resourceOf(Letter);
const COPIES = resourceOf(Copy);
const MAPS = resourceOf(ConfigMap);
const TESTER = { fieldManager: "tester" } as const;
const letter = (name: string, to: string, text = "hello") => ({
  apiVersion: "letters.example.org/v1",
  kind: "Letter",
  metadata: { namespace: "team", name },
  spec: { to, text },
});
const at = (name: string) => ({ namespace: "team", name });

/** Lets minutes pass until it has come about: ever more slowly, since a slow machine has to answer within the time of a probe. */
async function leaping(clock: LeapingClock, what: Promise<unknown>): Promise<void> {
  let [isOver, leaps, rest] = [false, 0, 0];
  const over = (): void => {
    isOver = true;
  };
  what.then(over, over);
  await eventually("it to come about", () => {
    if (!isOver && rest-- <= 0) {
      clock.leap(1_000);
      rest = Math.floor(++leaps / 10);
    }
    return isOver;
  });
  await what;
}

/** Functions and other clusters, on API servers of one sort. */
export function otherClustersSuite(kind: "local" | "real", skip: string | false = false): void {
  describe(`functions and other clusters on the ${kind} API`, { skip: skip !== false }, () => {
    let home: TestApi;
    let remotes: RemoteCluster[];
    beforeAll(async () => {
      home = await startTestApi({ api: kind, controllers: false });
      remotes = [];
      // The one that breaks is of the home's sort; for the other, beside it, a small one will do.
      for (const [name, api] of [
        ["team/one", kind],
        ["team/two", "local"],
      ] as const)
        remotes.push(await startRemoteCluster(plants, name, { api, controllers: false }));
      for (const { client } of [home, ...remotes])
        await client.create(
          { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" },
          { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } },
          TESTER,
        );
    }, 120_000);
    afterAll(async () => {
      for (const remote of remotes) await remote.stop();
      await home.stop();
    });
    beforeEach(async () => {
      for (const remote of remotes) await remote.link("pass");
    });
    /** Letters to the cluster that is well. */
    const others = (name: string) =>
      remotes.slice(1).map((remote, index) => letter(`${name}-beside-${index}`, remote.name));
    const one = (): RemoteCluster => remotes[0] as RemoteCluster;
    const run = async (
      t: { onTestFinished(end: () => Promise<void>): void },
      options: Partial<Parameters<typeof startStack>[0]> = {},
    ): Promise<Stack> => {
      const stack = await startStack({
        api: home,
        systems: [letters],
        clusters: remotes.map((remote) => ({ remote })),
        ...options,
      });
      t.onTestFinished(async () => {
        await stack.engine.stop();
        for (const remote of remotes) await remote.link("pass");
        for (const { client } of [home, ...remotes])
          for (const resource of [LETTERS, COPIES, MAPS, SECRETS])
            for (const { metadata } of (await listed(client, resource)).filter(
              ({ metadata: { namespace } }) => namespace === "team",
            ))
              await client.delete(resource, metadata, { uid: undefined });
      });
      return stack;
    };
    const listed = async (client: TestApi["client"], resource: typeof LETTERS) =>
      (await client.list(resource).catch(() => ({ items: [] }))).items;
    const statusOf = async (name: string) =>
      (await home.client.get(LETTERS, at(name)))?.status as Readonly<Record<string, unknown>> | undefined;
    const phase = (name: string, wanted: string): Promise<true> =>
      eventually(`${name} to be ${wanted}`, async () => (await statusOf(name))?.phase === wanted);
    const read = (remote: RemoteCluster, name: string) =>
      remote.client.patch(
        COPIES,
        at(name),
        "merge",
        { status: { read: true } },
        { ...TESTER, subresource: "status" },
      );

    it("writes there, wakes at what it waits for there, and rests then", async (t) => {
      const stack = await run(t);
      await stack.apply(letter("a", "team/one"));
      await stack.settled();
      assert.deepEqual(await statusOf("a"), { phase: "sent" });
      assert.deepEqual((await one().client.get(MAPS, at("a")))?.data, { text: "hello" });
      assert.equal(await home.client.get(MAPS, at("a")), undefined, "nothing is written at home");
      await read(one(), "a");
      await phase("a", "read");
      await stack.settled();
      const before = stack.runs().length;
      await stack.everyKeyOnce();
      assert.deepEqual(
        stack
          .runs()
          .slice(before)
          .flatMap(({ writes }) => writes.filter(({ sent }) => sent)),
        [],
      );
      const subjects = stack
        .runs()
        .flatMap(({ reads, writes }) => [...reads, ...writes].map(({ subject }) => subject));
      assert.ok(subjects.includes("@plant:team:one/letters.example.org/Copy/team/a"), subjects.join(", "));
      await home.client.patch(LETTERS, at("a"), "merge", { spec: { text: "again" } }, TESTER);
      await phase("a", "sent");
      assert.deepEqual((await one().client.get(MAPS, at("a")))?.data, { text: "again" });
    });

    it("shows that a Secret is missing, and goes on as soon as it is there", async (t) => {
      const clock = leapingClock();
      const stack = await run(t, {
        clock,
        clusters: remotes.map((remote) => ({ remote, connected: false })),
      });
      await stack.apply(letter("early", "team/one"));
      await phase("early", "no secret");
      await stack.settled();
      assert.match(String((await statusOf("early"))?.reason), /no Secret team\/one-kubeconfig/);
      await connectTo(home.client, one());
      await leaping(clock, phase("early", "sent"));
      assert.equal(stack.runs().filter(({ outcome }) => outcome === "retry").length, 0);
    });

    it("goes on where a cluster hung or refused, without an attempt, and misses nothing", async (t) => {
      const clock = leapingClock();
      const stack = await run(t, { clock });
      for (const [mode, name] of [
        ["stall", "hung"],
        ["refuse", "refused"],
      ] as const) {
        await stack.apply(letter(`${name}-before`, "team/one"));
        await phase(`${name}-before`, "sent");
        await one().link(mode);
        // The other cluster's letters wait for nobody whose patience has to end.
        await clock.holding(async () => {
          await stack.apply([letter(name, "team/one"), ...others(name)]);
          for (const other of others(name)) await phase(other.metadata.name, "sent");
        });
        await phase(name, "unreachable");
        await read(one(), `${name}-before`);
        await one().link("pass");
        await leaping(clock, Promise.all([phase(name, "sent"), phase(`${name}-before`, "read")]));
      }
      assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
      assert.equal(stack.runs().filter(({ outcome }) => outcome === "retry").length, 0);
    });

    it("goes on with the next credentials after its own were revoked", async (t) => {
      const clock = leapingClock();
      const stack = await run(t, { clock });
      await stack.apply(letter("valid", "team/one"));
      await phase("valid", "sent");
      await connectTo(home.client, one(), { token: "revoked" });
      clock.leap(60_000);
      await stack.apply([letter("revoked", "team/one"), ...others("revoked")]);
      await phase("revoked", "unreachable");
      assert.match(String((await statusOf("revoked"))?.reason), /401|nauthorized|credentials/);
      for (const other of others("revoked")) await phase(other.metadata.name, "sent");
      await read(one(), "valid");
      await connectTo(home.client, one());
      await leaping(clock, Promise.all([phase("revoked", "sent"), phase("valid", "read")]));
      assert.equal(stack.runs().filter(({ outcome }) => outcome === "retry").length, 0);
    });

    it("hears of what it waits for in more clusters than may be followed at once", async (t) => {
      const clock = leapingClock();
      const stack = await run(t, { clock, engine: { streams: 1 } });
      await stack.apply([letter("turn", "team/one"), ...others("turn")]);
      await phase("turn", "sent");
      for (const other of others("turn")) await phase(other.metadata.name, "sent");
      await eventually("streams to queue", () => {
        const { open, queued } = stack.engine.watcher.position().elsewhere?.streams ?? {};
        return open === 1 && queued !== undefined && queued > 0;
      });
      // Each change comes about while another's stream may have the only place.
      await read(one(), "turn");
      for (const [index, remote] of remotes.slice(1).entries()) await read(remote, `turn-beside-${index}`);
      await leaping(
        clock,
        Promise.all(
          ["turn", ...others("turn").map(({ metadata }) => metadata.name)].map((name) => phase(name, "read")),
        ),
      );
      assert.equal(stack.runs().filter(({ outcome }) => outcome === "retry").length, 0);
    });

    it("waits for its connection where nobody asked before", async (t) => {
      const clock = leapingClock();
      const stack = await run(t, {
        clock,
        systems: [plainly],
        clusters: remotes.map((remote) => ({ remote })),
      });
      await one().link("stall");
      await stack.apply(letter("plain", "team/one"));
      const key = `${stack.cluster}/letters.example.org/Letter/team/plain`;
      await eventually("it to be parked", () => stack.runs().some(({ outcome }) => outcome === "away"));
      await stack.settled();
      assert.equal(await statusOf("plain"), undefined, "nothing is shown");
      const { waits, attempts } = await stack.engine.bus.pending({ function: "plainly", key });
      assert.deepEqual(
        [waits.map(({ kind, name }) => `${kind} ${name}`), attempts],
        [["Connection plant:team:one"], 0],
      );
      await one().link("pass");
      await leaping(clock, phase("plain", "sent"));
    });

    it("reads, writes and awaits kinds there that only data names", async (t) => {
      const stack = await run(t, { systems: [sorted], clusters: remotes.map((remote) => ({ remote })) });
      await stack.apply(letter("parcel", "team/one"));
      await phase("parcel", "sent 1");
      await stack.settled();
      assert.deepEqual((await one().client.get(MAPS, at("parcel")))?.data, { text: "hello" });
      await one().client.create(
        SECRETS,
        { apiVersion: "v1", kind: "Secret", metadata: { ...at("parcel") } },
        TESTER,
      );
      await phase("parcel", "answered");
    });

    it("is finished after a death at each write of either cluster", async (t) => {
      for (let nth = 1; ; nth++) {
        const name = `mortal-${nth}`;
        const host = mortalHost(nth, () => stack.engine.bus.abandon());
        const stack: Stack = await run(t, { engineClient: host.through, clusterClient: host.through });
        await stack.apply(letter(name, "team/one"));
        await Promise.race([host.died, stack.settled()]);
        const died = host.dead();
        if (died) await stack.restartEngine({ abruptly: true });
        await stack.settled();
        assert.deepEqual(await statusOf(name), { phase: "sent" }, `after a death at write ${nth}`);
        assert.deepEqual((await one().client.get(MAPS, at(name)))?.data, { text: "hello" });
        assert.ok(await one().client.get(COPIES, at(name)));
        await stack.engine.stop();
        if (!died) return assert.ok(nth > 3, "it died at writes of both");
      }
    });

    it("changes nothing in either cluster in a dry run", async (t) => {
      const stack = await run(t);
      await stack.engine.stop();
      await stack.apply(letter("dry", "team/one"));
      const others = new OtherClusters({ home: home.client });
      t.onTestFinished(() => others.close());
      const console = functionConsole({
        functions: configuredFunctions([letters]),
        client: home.client,
        others,
        cluster: stack.cluster,
        clock: systemClock,
        types: () => new Map(catalogue),
      });
      const ref = {
        cluster: stack.cluster,
        group: "letters.example.org",
        version: "v1",
        kind: "Letter",
        ...at("dry"),
        uid: "u",
      };
      const event = {
        specversion: "1.0",
        id: "dry",
        type: "resource.changed",
        source: "/clusters/test",
        time: "2026-01-01T00:00:00.000Z",
        datacontenttype: "application/json",
        data: {
          ref,
          era: 0,
          resourceVersion: "1",
          generation: 1,
          lane: "urgent",
          differs: ["object"],
          facts: {},
          seen: [],
          incomplete: false,
          owners: [],
          deleting: false,
        },
      };
      const { runs } = await console.invoke("send", event, {
        dryRun: true,
        askedBy: "test",
        signal: new AbortController().signal,
      });
      assert.deepEqual(
        runs.flatMap(({ diff = [] }) => diff.map(({ subject, change }) => `${change} ${subject}`)),
        [
          "created @plant:team:one//ConfigMap/team/dry",
          "created @plant:team:one/letters.example.org/Copy/team/dry",
          "changed letters.example.org/Letter/team/dry",
        ],
      );
      assert.equal(await one().client.get(MAPS, at("dry")), undefined);
      assert.equal(await statusOf("dry"), undefined);
    });
  });
}
