import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { connectTo, type RemoteCluster, startRemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { type Log, silent } from "../../log/log.ts";
import { defineClusters } from "../clusters.ts";
import { ClusterAwayError } from "./cluster-away.ts";
import { SECRETS, type Standing } from "./cluster-secret.ts";
import { OtherClusters } from "./other-clusters.ts";

const runtimes = defineClusters("runtime", {
  secret: { namespace: "kcp-system", label: "example.org/runtime", key: "config" },
});
const plants = defineClusters("plant", { secret: { suffix: "-kubeconfig", key: "value" } });
const NAMESPACES = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
} as const;
const reachable: Standing = { state: "reachable", reason: "" };

describe("the other clusters of a process", () => {
  let home: TestApi;
  let remote: RemoteCluster;
  let clock: ManualClock;
  let others: OtherClusters;
  let flips: string[];
  beforeAll(async () => {
    home = await startTestApi({ api: "local", controllers: false });
    remote = await startRemoteCluster(runtimes, "rt-1", { api: "local", controllers: false });
  });
  afterAll(async () => {
    await remote.stop();
    await home.stop();
  });
  beforeEach(async () => {
    clock = new ManualClock(Date.now());
    flips = [];
    others = new OtherClusters({ home: home.client, clock, random: () => 0 });
    others.subscribe((reference, { state }) => flips.push(`${reference} ${state}`));
    await connectTo(home.client, remote);
  });
  afterEach(async () => {
    others.close();
    await remote.link("pass");
    await disconnect();
  });
  const disconnect = async (): Promise<void> => {
    for (const { metadata } of (await home.client.list(SECRETS)).items)
      await home.client.delete(SECRETS, { ...metadata }, { uid: undefined });
  };
  const probe = (name = "kube-system") => others.at(runtimes, "rt-1").client.get(NAMESPACES, { name });
  const away = (thrown: unknown): boolean => thrown instanceof ClusterAwayError;
  /** Lets time pass until the request has ended. */
  const passing = async <T>(request: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    request.then(over, over);
    await eventually("the request to end", () => {
      if (!isOver) clock.advance(500);
      return isOver;
    });
    return request;
  };

  it("are reached by the Secret with their label, which is read once", async () => {
    const before = { ...home.client.requests };
    assert.equal((await probe())?.metadata.name, "kube-system");
    await probe();
    await probe();
    assert.equal((home.client.requests.list ?? 0) - (before.list ?? 0), 1);
    assert.deepEqual(await others.at(runtimes, "rt-1").look(), reachable);
  });

  it("are reached by the Secret of their name in their namespace", async () => {
    const text = (await remote.secret()).data as Readonly<Record<string, string>>;
    await home.client.apply(
      SECRETS,
      { namespace: "kcp-system", name: "one-kubeconfig" },
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { namespace: "kcp-system", name: "one-kubeconfig" },
        data: { value: text.config },
      },
      { fieldManager: "tester" },
    );
    const { client, reference } = others.at(plants, "kcp-system/one");
    assert.equal(reference, "@plant:kcp-system:one");
    assert.equal((await client.get(NAMESPACES, { name: "kube-system" }))?.metadata.name, "kube-system");
    assert.equal((await others.at(plants, "kcp-system/two").look()).state, "no secret");
  });

  it("never are the home where a Secret is missing, and are back as soon as it is heard of", async () => {
    await disconnect();
    const cluster = others.at(runtimes, "rt-1");
    const { state, reason } = await cluster.look();
    assert.equal(state, "no secret");
    assert.match(reason, /kcp-system with the label example.org\/runtime=rt-1/);
    await assert.rejects(probe(), away);
    await connectTo(home.client, remote);
    await assert.rejects(probe(), away, "it was looked for a moment ago");
    others.heard(remote.reference, "there", clock.now());
    assert.equal((await probe())?.metadata.name, "kube-system");
    assert.deepEqual(flips, ["@runtime:rt-1 no secret", "@runtime:rt-1 reachable"]);
  });

  it("are found by whoever asks later, though nobody has told that their Secret is there", async () => {
    await disconnect();
    await assert.rejects(probe(), away);
    await connectTo(home.client, remote);
    clock.advance(1_000);
    assert.equal((await probe())?.metadata.name, "kube-system");
  });

  it("are looked at again once somebody found one away in another way", async () => {
    await disconnect();
    const cluster = others.at(runtimes, "rt-1");
    assert.equal((await cluster.look()).state, "no secret");
    await remote.link("refuse");
    await connectTo(home.client, remote);
    assert.equal((await cluster.look()).state, "no secret", "it was looked for a moment ago");
    others.heard(remote.reference, "otherwise", clock.now());
    assert.equal((await cluster.look()).state, "unreachable");
  });

  it("have a Secret that is missing looked for whenever somebody asks, which is no error", async () => {
    const said: string[] = [];
    const log: Log = {
      ...silent,
      error: (...given: readonly unknown[]) => void said.push(`error ${String(given.at(-1))}`),
      info: (...given: readonly unknown[]) => void said.push(`info ${String(given.at(-1))}`),
    };
    const seen = new OtherClusters({ home: home.client, clock, random: () => 0, log });
    const cluster = seen.at(plants, "kcp-system/late");
    assert.equal((await cluster.look()).state, "no secret");
    assert.deepEqual(said, ["info a connection is not there yet: nothing is taken for it until it is"]);
    const gets = (): number => home.client.requests.get ?? 0;
    const before = gets();
    assert.equal((await cluster.look()).state, "no secret");
    assert.equal(gets(), before, "not twice within a second");
    clock.advance(5_000);
    await eventually("its first probe", () => gets() > before);
    const text = (await remote.secret()).data as Readonly<Record<string, string>>;
    const at = { namespace: "kcp-system", name: "late-kubeconfig" };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: at, data: { value: text.config } };
    await home.client.apply(SECRETS, at, secret, { fieldManager: "tester" });
    // Its next probe is ten seconds away.
    clock.advance(5_000);
    assert.deepEqual(await cluster.look(), reachable);
    seen.close();
  });

  it("are not used where two Secrets name one", async () => {
    const second = await connectTo(home.client, remote, { named: "second" });
    const cluster = others.at(runtimes, "rt-1");
    assert.equal((await cluster.look()).state, "several secrets");
    await home.client.delete(
      SECRETS,
      { namespace: "kcp-system", name: second.metadata.name },
      { uid: undefined },
    );
    assert.deepEqual(await cluster.probe(), reachable);
  });

  it("take up a Secret that was replaced after its credentials were revoked, without an error", async () => {
    await connectTo(home.client, remote, { token: "revoked" });
    others.at(runtimes, "rt-1");
    const refused = await others.at(runtimes, "rt-1").look();
    assert.deepEqual([refused.state, /401|nauthorized/.test(refused.reason)], ["unreachable", true]);
    await connectTo(home.client, remote);
    clock.advance(5_000);
    await eventually("its probe", () => others.at(runtimes, "rt-1").standing.state === "reachable");
    await probe();
    // The client holds good credentials; now these are replaced by better ones and refused.
    await connectTo(home.client, remote, { token: "revoked" });
    clock.advance(30_000);
    const failing = probe();
    await assert.rejects(failing, away);
    await connectTo(home.client, remote);
    others.heard(remote.reference, "there", clock.now());
    assert.equal((await probe())?.metadata.name, "kube-system");
  });

  it("are asked where their Secret leads by now, once nothing answers where it led before", async () => {
    const at = { namespace: "team", name: "c-1-kubeconfig" };
    const first = await startRemoteCluster(plants, "team/c-1", { api: "local", controllers: false });
    await connectTo(home.client, first);
    const { client } = others.at(plants, "team/c-1");
    const read = () => client.get(NAMESPACES, { name: "kube-system" });
    assert.ok(await read());
    await first.stop();
    await home.client.delete(SECRETS, at, { uid: undefined });
    const second = await startRemoteCluster(plants, "team/c-1", { api: "local", controllers: false });
    await connectTo(home.client, second);
    assert.ok(await read());
    await second.stop();
  });

  it("that hang are noticed before a request's own limit, and asked by one probe alone", async () => {
    await probe();
    await remote.link("stall");
    await assert.rejects(passing(probe()), away);
    const began = clock.now();
    const many = await Promise.allSettled(Array.from({ length: 50 }, () => probe()));
    assert.ok(many.every((one) => one.status === "rejected" && away(one.reason)));
    assert.equal(clock.now(), began, "none of them waited");
    await remote.link("pass");
    await eventually("it to be back", () => {
      clock.advance(1_000);
      return others.at(runtimes, "rt-1").standing.state === "reachable";
    });
    assert.equal((await probe())?.metadata.name, "kube-system");
    assert.deepEqual(flips, ["@runtime:rt-1 unreachable", "@runtime:rt-1 reachable"]);
  });

  it("that refuse are away, and a list that fails at home is no missing Secret", async () => {
    await probe();
    await remote.link("refuse");
    await assert.rejects(probe(), away);
    assert.equal(others.at(runtimes, "rt-1").standing.state, "unreachable");
    const failing = new OtherClusters({
      home: { ...home.client, list: () => Promise.reject(new Error("the API server is away")) },
      clock,
    });
    const standing = await failing.at(runtimes, "rt-1").look();
    failing.close();
    assert.deepEqual(
      [standing.state, standing.reason.includes("the API server is away")],
      ["unreachable", true],
    );
  });

  it("answer an object that is not there as the server does", async () => {
    assert.equal(await probe("nowhere"), undefined);
    assert.deepEqual(flips, []);
  });

  it("say which Secret and key cannot be used", async () => {
    const secret = await connectTo(home.client, remote);
    await home.client.patch(
      SECRETS,
      { ...secret.metadata },
      "merge",
      { data: { config: "Zm9v" } },
      { fieldManager: "t" },
    );
    const { state, reason } = await others.at(runtimes, "rt-1").look();
    assert.equal(state, "unreachable");
    assert.match(reason, /^Secret kcp-system\/kubeconfig-rt-1, key config: it is no kubeconfig/);
  });

  it("are the home itself only where the configuration says so", async () => {
    const local = new OtherClusters({ home: home.client, clock, atHome: new Set(["runtime"]) });
    assert.deepEqual(await local.at(runtimes, "anything").look(), reachable);
    assert.equal(local.at(runtimes, "anything").client, home.client);
    assert.equal((await local.at(plants, "kcp-system/none").look()).state, "no secret");
    local.close();
  });

  it("keep no connection open that nobody used for a minute, whoever holds them", async () => {
    await probe();
    const cluster = others.at(runtimes, "rt-1");
    await cluster.look();
    const release = others.hold(runtimes, "rt-1");
    assert.equal(remote.connections(), 1, "a probe needs no connection of its own where nothing holds it up");
    clock.advance(9_000);
    await new Promise(setImmediate);
    assert.equal(remote.connections(), 1);
    clock.advance(66_000);
    await eventually("its connections to end", () => remote.connections() === 0);
    assert.deepEqual([cluster.standing, others.all.length], [reachable, 1]);
    const before = cluster.client.requests.get ?? 0;
    assert.ok(before > 0, "what was asked before counts on");
    assert.equal((await cluster.client.get(NAMESPACES, { name: "default" }))?.metadata.name, "default");
    assert.equal(cluster.client.requests.get, before + 1);
    assert.deepEqual(flips, []);
    release();
  });

  it("keep nothing open that was only looked at, once who looked is done", async () => {
    const cluster = others.at(runtimes, "rt-1");
    await cluster.look();
    assert.equal(remote.connections(), 1);
    cluster.rest();
    await eventually("its connection to end", () => remote.connections() === 0);
    assert.deepEqual(cluster.standing, reachable);
    await probe();
    cluster.rest();
    assert.equal(remote.connections(), 1, "somebody used it a moment ago");
  });

  it("are let go when nobody used them for ten minutes", async () => {
    await probe();
    assert.equal(others.all.length, 1);
    const release = others.hold(runtimes, "rt-1");
    clock.advance(11 * 60_000);
    others.at(runtimes, "rt-2");
    assert.equal(others.all.length, 2);
    release();
    clock.advance(11 * 60_000);
    others.at(runtimes, "rt-3");
    assert.deepEqual(
      others.all.map(({ reference }) => reference),
      ["@runtime:rt-3"],
    );
  });
});
