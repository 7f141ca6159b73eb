import assert from "node:assert/strict";
import { test } from "vitest";
import { systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { silent } from "../../shared/log/log.ts";
import { refuse } from "../testing/fake-api-answer.ts";
import { changed, short, until, WatchedCluster } from "../testing/watched-cluster.ts";
import { Election } from "./election.ts";
import type { LeaseOptions, WatcherOptions } from "./index.ts";

const place = (name: string) => ({ namespace: "default", name });
const lease: LeaseOptions = {
  namespace: "default",
  name: "reveille-watcher",
  duration: 1000,
  deadline: 600,
  renew: 50,
  retry: 20,
};
const leader = (file = ":memory:"): Partial<WatcherOptions> => ({
  identity: "first",
  lease,
  ledger: { file },
});
const standby: Partial<WatcherOptions> = { identity: "second", lease, ledger: { file: ":memory:" } };

/** A client whose writes no longer reach the server once it is cut. */
function cuttable(client: KubeClient): { readonly client: KubeClient; readonly cut: () => void } {
  let isCut = false;
  return {
    cut: () => {
      isCut = true;
    },
    client: new Proxy(client, {
      get: (target, name: keyof KubeClient) => {
        if (name === "replace" && isCut)
          return () => Promise.reject(new KubeError("unavailable", "cut off", { request: "PUT" }));
        const member = target[name];
        return typeof member === "function" ? member.bind(target) : member;
      },
    }),
  };
}

test("one leads and publishes; the other stands by, warm, and publishes nothing", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const first = await cluster.settled(leader());
  assert.equal(first.position().leader, true);
  const second = cluster.watch(standby);
  await until(
    () => second.position().holder === "first" && second.position().streams[0]?.state.name === "streaming",
    "the standby to stream",
  );
  assert.deepEqual(cluster.take().map(short), ["resource.changed a uid-1"]);
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  assert.equal((await cluster.next()).length, 1);
  await until(() => second.position().dirty === 0, "the standby to record what the leader published");
  await until(() => second.ready(), "the standby to be ready");
  assert.equal(second.position().leader, false);
  assert.deepEqual(cluster.take(), []);
});

test("a released Lease is taken at once, and only what the leader had not published is told", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const first = await cluster.settled({ ...leader(), lease: { ...lease, duration: 60_000 } });
  const second = cluster.watch({ ...standby, lease: { ...lease, duration: 60_000 } });
  await until(
    () => second.position().dirty === 0 && second.ready(),
    "the standby to record what the leader published",
  );
  cluster.take();
  await first.stop();
  await until(() => second.position().leader, "the standby to lead");
  assert.equal(second.position().term, 1);
  cluster.server.put("widgets", place("b"), { spec: { value: 2 } });
  assert.deepEqual((await cluster.next()).map(short), ["resource.changed b uid-3"]);
});

test("a silent leader is succeeded when its Lease has ended, and what it did not publish is told", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const { client, cut } = cuttable(cluster.client());
  await cluster.settled({ ...leader(), client });
  const second = cluster.watch(standby);
  await until(() => second.position().dirty === 0 && second.ready(), "the standby to be warm");
  cluster.take();
  const { publish } = cluster;
  // Its renewals reach the server no longer, and the bus does not answer it.
  cut();
  cluster.publish = () => Promise.reject(new Error("no bus"));
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await until(() => second.position().leader, "the standby to lead");
  cluster.publish = publish;
  const [event] = await cluster.next();
  assert.deepEqual(changed(event).was, { value: 1 });
});

test("a leader that cannot renew publishes no more", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const first = await cluster.settled(leader());
  await until(() => cluster.server.watches("widgets") === 1, "the watch to open");
  cluster.server.fail(
    ({ path }) => path.includes("leases"),
    (response) => refuse(response, 500, "InternalError", "no"),
    Number.MAX_SAFE_INTEGER,
  );
  await until(() => !first.position().leader, "leadership to end");
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  await until(() => first.position().dirty === 1, "the key to be dirty");
  assert.deepEqual(cluster.take(), []);
  cluster.server.heal();
  assert.deepEqual((await cluster.next()).map(short), ["resource.changed a uid-2"]);
});

test("the era in the Lease counts where it is higher", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const backup = cluster.server.snapshot();
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  const first = await cluster.settled(leader());
  await until(() => cluster.server.watches("widgets") === 1, "the watch to open");
  const leases = [...cluster.server.snapshot().kinds].filter(([key]) => key.includes("leases"));
  cluster.server.restore({ ...backup, kinds: new Map([...backup.kinds, ...leases]) });
  await until(() => first.position().era === 1, "the new era");
  await first.stop();
  cluster.take();
  // Its ledger is new, and knows of no era.
  const second = await cluster.settled(standby);
  assert.equal(second.position().era, 1);
  assert.equal(changed(cluster.take()[0]).era, 1);
});

test("at rest a leader sends nothing but the renewal", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await cluster.settled(leader());
  await until(() => cluster.server.watches("widgets") === 1, "the watch to open");
  const before = cluster.server.requests.length;
  await until(() => cluster.server.count("replace") >= 5, "renewals");
  assert.deepEqual([...new Set(cluster.server.requests.slice(before).map(({ verb }) => verb))], ["replace"]);
});

test("a standby that is stopped while it reads the Lease does not stay to watch it", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await cluster.settled(leader());
  const client = cluster.client();
  let isRead = false;
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const ignored = (): void => undefined;
  const election = new Election(
    {
      client: new Proxy(client, {
        get: (target, name: keyof KubeClient) => {
          const member = target[name];
          if (name !== "get") return typeof member === "function" ? member.bind(target) : member;
          return async (...words: Parameters<KubeClient["get"]>) => {
            const found = await target.get(...words);
            isRead = true;
            await held;
            return found;
          };
        },
      }),
      clock: systemClock,
      log: silent,
      identity: "second",
      positions: () => ({ era: 1, streams: {} }),
      onLease: ignored,
      onChange: ignored,
      onWon: ignored,
    },
    lease,
  );
  election.start();
  await until(() => isRead, "the standby to read the Lease");
  let stopped = false;
  const stopping = election.stop().then(() => {
    stopped = true;
  });
  answer();
  await until(() => stopped, "the standby to stop, while the leader goes on to renew");
  await stopping;
});

test("two that start at once: one leads", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const both = [cluster.watch(leader()), cluster.watch(standby)];
  await until(
    () => both.every((watcher) => watcher.position().holder !== undefined),
    "both to know the Lease",
  );
  assert.equal(both.filter((watcher) => watcher.position().leader).length, 1);
});

test("what a leader publishes for is told to the next, and carried along by one that says nothing", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const told: (object & { readonly for: string | undefined })[] = [];
  const onLead: WatcherOptions["onLead"] = (before) => told.push(before);
  const file = cluster.ledgerFile;
  // Who dies soon after must have said it: the next would sweep again, and take out of the dead letters what killed it.
  const slow = { ...lease, duration: 600_000, deadline: 500_000, renew: 300_000 };
  const first = await cluster.settled({ ...leader(file), lease: slow, onLead });
  assert.deepEqual(told.splice(0), [{ for: undefined, nothing: true }]);
  first.publishesFor("one");
  const said = (): string | undefined =>
    cluster.server.objects("leases")[0]?.metadata.annotations?.["reveille.dev/published-for"];
  await until(() => said() === "one", "the Lease to say it");
  await first.stop();
  const second = await cluster.settled({ ...standby, onLead });
  assert.deepEqual(told.splice(0), [{ for: "one", nothing: false }]);
  await second.stop();
  assert.equal(said(), "one");
});

test("what a leader publishes for stands in the Lease once it leads again, unless another one led", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const told: unknown[] = [];
  const watcher = await cluster.settled({ ...leader(), onLead: (before) => told.push(before.for) });
  const said = (): string | undefined =>
    cluster.server.objects("leases")[0]?.metadata.annotations?.["reveille.dev/published-for"];
  watcher.publishesFor("one");
  await until(() => said() === "one", "it to stand in the Lease");
  const fail = async (): Promise<void> => {
    cluster.server.fail(
      ({ path }) => path.includes("leases"),
      (response) => refuse(response, 500, "InternalError", "no"),
      Number.MAX_SAFE_INTEGER,
    );
    await until(() => !watcher.position().leader, "leadership to end");
  };
  await fail();
  watcher.publishesFor("two");
  cluster.server.heal();
  await until(() => said() === "two", "it to stand in the Lease");
  await until(() => watcher.position().leader, "it to lead again");
  assert.ok(!told.slice(1).includes("one"), "nothing is swept for it once more");
  await fail();
  watcher.publishesFor("three");
  const annotations = { "reveille.dev/published-for": "another's" };
  cluster.server.put("leases", place("reveille-watcher"), { spec: { holderIdentity: "" } }, { annotations });
  cluster.server.heal();
  await until(() => watcher.position().leader, "it to lead again");
  assert.deepEqual([said(), told.at(-1)], ["another's", "another's"]);
});

test("a new ledger beside an older Lease compares in the slow lane: nobody waits for it", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  await (await cluster.settled(leader())).stop();
  assert.equal(changed(cluster.take()[0]).lane, "urgent");
  await cluster.settled(standby);
  assert.equal(changed(cluster.take()[0]).lane, "sweep");
});

test("a leader in the Lease of before is waited for, and what it says is known", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const home = { ...lease, namespace: "release" };
  const told: unknown[] = [];
  const first = await cluster.settled(leader());
  first.publishesFor("before");
  const second = cluster.watch({ ...standby, lease: home, onLead: (before) => told.push(before) });
  await until(() => second.position().holder === "first" && second.ready(), "the new one to stand by");
  await until(() => second.position().dirty === 0, "it to record what the leader published");
  assert.equal(second.position().leader, false);
  cluster.take();
  await first.stop();
  await until(() => second.position().leader, "the new one to lead");
  assert.deepEqual(told, [{ for: "before", nothing: false }]);
  assert.deepEqual(cluster.take(), []);
  const leases = cluster.server.objects("leases").map(({ metadata, spec }) => [metadata.namespace, spec]);
  assert.deepEqual(
    leases
      .map(([namespace, spec]) => [namespace, (spec as { holderIdentity: string }).holderIdentity])
      .sort(),
    [
      ["default", ""],
      ["release", "second"],
    ],
  );
});

test("an era that no watcher can have written is refused aloud, and ignored", async (t) => {
  const cluster = await WatchedCluster.start(t);
  for (const era of ["9007199254740991", "-1", "1.5", "soon"]) {
    cluster.log.length = 0;
    const annotations = { "reveille.dev/era": era };
    cluster.server.put(
      "leases",
      place("reveille-watcher"),
      { spec: { holderIdentity: "" } },
      { annotations },
    );
    const watcher = await cluster.settled(leader());
    assert.equal(watcher.position().era, 0, era);
    const warned = cluster.log.filter(({ message }) => message.includes("names an era"));
    assert.deepEqual(
      warned.map(({ level, fields }) => [level, fields.era]),
      [["warn", era]],
    );
    await watcher.stop();
  }
});
