import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { startPlayedCluster } from "../../../infra/testing/played-cluster.ts";
import type { KubeClient, ListOptions } from "../client.ts";
import { defineClusters } from "../clusters.ts";
import { KubeError } from "../errors.ts";
import type { KubeObject } from "../object.ts";
import { OtherClusters } from "./other-clusters.ts";

const runtimes = defineClusters("runtime", {
  secret: { namespace: "kcp-system", label: "example.org/runtime", key: "config" },
});
const NAMESPACES = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
} as const;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server of which the probes may hang, and a home whose Secrets lead there. */
async function stage() {
  const asked: string[] = [];
  const held: ServerResponse[] = [];
  let probesHang = false;
  let isSlow = false;
  let mayOnlyList = false;
  let isRefusing = false;
  const { kubeconfig, stop } = await startPlayedCluster(({ url = "" }, response) => {
    asked.push(url);
    if (isRefusing) response.writeHead(401).end();
    else if (isSlow || (url === "/readyz" && probesHang)) held.push(response);
    else response.end(url === "/readyz" ? "ok" : JSON.stringify({ metadata: { name: "one" } }));
  });
  const secretOf = (name: string, of = "rt-1"): KubeObject => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      ...{ name, namespace: "kcp-system", uid: name, resourceVersion: "1" },
      labels: { "example.org/runtime": of },
    },
    data: { config: Buffer.from(kubeconfig).toString("base64") },
  });
  const secrets = [secretOf("first")];
  const looks: string[] = [];
  const home: Partial<KubeClient> = {
    list: async (_, { labelSelector, limit }: ListOptions = {}) => {
      looks.push(labelSelector ?? "");
      const found = secrets.filter(
        ({ metadata }) => `example.org/runtime=${metadata.labels?.["example.org/runtime"]}` === labelSelector,
      );
      return { items: found.slice(0, limit), metadata: { resourceVersion: "1" } };
    },
    get: async (_, { name }) => {
      looks.push(name);
      if (mayOnlyList) throw new KubeError("forbidden", "it may only list Secrets", { request: "GET" });
      return secrets.find(({ metadata }) => metadata.name === name);
    },
  };
  const clock = new ManualClock();
  const others = new OtherClusters({ home: home as KubeClient, clock, random: () => 0 });
  ends.push(() => {
    others.close();
    stop();
  });
  const cluster = others.at(runtimes, "rt-1");
  return {
    clock,
    cluster,
    looks,
    secrets,
    secretOf,
    asked,
    hang: () => {
      probesHang = true;
    },
    onlyList: () => {
      mayOnlyList = true;
    },
    slow: (is: boolean) => {
      isSlow = is;
    },
    refuse: () => {
      isRefusing = true;
    },
    held,
    use: () => cluster.client.get(NAMESPACES, { name: "one" }),
    probes: () => asked.filter((url) => url === "/readyz").length,
  };
}

describe("one of other clusters", () => {
  it("is not asked whether it is there where it has just answered, nor again within half a minute", async () => {
    const { cluster, use, probes, clock } = await stage();
    await use();
    assert.equal((await cluster.look()).state, "reachable");
    assert.equal(probes(), 0);
    clock.advance(31_000);
    assert.equal((await cluster.look()).state, "reachable");
    assert.equal((await cluster.look()).state, "reachable");
    assert.equal(probes(), 1);
  });

  it("is asked again where somebody found it otherwise, and not for news that are older than its answer", async () => {
    const { cluster, use, probes, clock } = await stage();
    clock.advance(60_000);
    await use();
    cluster.heard("lost", clock.now() - 1);
    assert.equal((await cluster.look()).state, "reachable");
    assert.equal(probes(), 0, "it was lost before it answered");
    cluster.heard("lost", clock.now());
    assert.equal((await cluster.look()).state, "reachable");
    assert.equal(probes(), 1);
  });

  it("looks through no Secrets again after a rest", async () => {
    const { cluster, use, clock, looks } = await stage();
    await use();
    assert.deepEqual(looks, ["example.org/runtime=rt-1"]);
    clock.advance(61_000);
    cluster.rest();
    await use();
    assert.deepEqual(looks.slice(1), ["first"]);
    clock.advance(5 * 60_000);
    cluster.rest();
    await use();
    assert.deepEqual(looks.slice(2), ["example.org/runtime=rt-1"]);
  });

  it("is not away where it answers others while its probe hangs", async () => {
    const { cluster, use, clock, hang, held } = await stage();
    await use();
    clock.advance(31_000);
    hang();
    const looking = cluster.look();
    await eventually("its probe over the connection of others", () => held.length === 1);
    clock.advance(1_000);
    await eventually("a probe of its own", () => held.length === 2);
    clock.advance(1_000);
    assert.equal((await use())?.metadata.name, "one");
    clock.advance(2_000);
    assert.equal((await looking).state, "reachable");
    clock.advance(31_000);
    const again = cluster.look();
    await eventually("another probe", () => held.length === 3);
    clock.advance(1_000);
    await eventually("another of its own", () => held.length === 4);
    clock.advance(3_000);
    assert.equal((await again).state, "unreachable", "nobody else was answered");
  });

  it("is believed where it refuses a probe, without another one", async () => {
    const { cluster, use, probes, clock, refuse } = await stage();
    await use();
    clock.advance(31_000);
    refuse();
    assert.equal((await cluster.look()).state, "unreachable");
    assert.equal(probes(), 1);
  });

  it("is waited for longer where all are slow to answer", async () => {
    const { cluster, use, clock, hang, slow, held } = await stage();
    slow(true);
    const using = use();
    await eventually("a slow request", () => held.length === 1);
    clock.advance(900);
    held.splice(0).map((response) => response.end(JSON.stringify({ metadata: { name: "one" } })));
    await using;
    slow(false);
    clock.advance(31_000);
    hang();
    let state = "";
    const looking = cluster.look().then((found) => {
      ({ state } = found);
    });
    await eventually("its probe over the connection of others", () => held.length === 1);
    clock.advance(3_000);
    await eventually("a probe of its own", () => held.length === 2);
    clock.advance(6_000);
    held[1]?.end("ok");
    await looking;
    assert.equal(state, "reachable");
  });

  it("is slow from the time at which it is probed until that decides", async () => {
    const { cluster, use, clock, hang, slow, held } = await stage();
    await use();
    slow(true);
    hang();
    const using = use().catch((thrown: unknown) => thrown);
    await eventually("a request that hangs", () => held.length === 1);
    clock.advance(1_999);
    assert.equal(cluster.isSlow, false);
    clock.advance(1);
    assert.equal(cluster.isSlow, true);
    await eventually("a probe of its own", () => held.length === 2);
    clock.advance(3_000);
    assert.match(String(await using), /cannot be used/);
    assert.deepEqual([cluster.isSlow, cluster.standing.state], [false, "unreachable"]);
  });

  it("is slow while it lets a look wait", async () => {
    const { cluster, use, clock, hang, held } = await stage();
    await use();
    clock.advance(31_000);
    hang();
    const looking = cluster.look();
    await eventually("its probe over the connection of others", () => held.length === 1);
    clock.advance(1_000);
    await eventually("a probe of its own", () => held.length === 2);
    clock.advance(1_000);
    assert.equal(cluster.isSlow, true);
    held[1]?.end("ok");
    assert.equal((await looking).state, "reachable");
    assert.equal(cluster.isSlow, false);
  });

  it("has two requests in flight, however many ask at once", async () => {
    const { use, slow, held, asked } = await stage();
    await use();
    slow(true);
    const many = Promise.all(Array.from({ length: 8 }, use));
    for (let answered = 0; answered < 6; answered++) {
      await eventually("two requests", () => held.length === 2);
      assert.equal(asked.length, 3 + answered);
      held.shift()?.end(JSON.stringify({ metadata: { name: "one" } }));
    }
    await eventually("the last two", () => asked.length === 9);
    for (const response of held.splice(0)) response.end(JSON.stringify({ metadata: { name: "one" } }));
    assert.equal((await many).length, 8);
  });

  it("has its Secret looked for among all where a role of before allows nothing else", async () => {
    const { use, clock, looks, onlyList } = await stage();
    await use();
    onlyList();
    clock.advance(31_000);
    await use();
    assert.deepEqual(looks, ["example.org/runtime=rt-1", "first", "example.org/runtime=rt-1"]);
  });

  it("has its Secret looked for by its name, and now and then among all", async () => {
    const { use, clock, looks, secrets, secretOf, cluster } = await stage();
    const all = "example.org/runtime=rt-1";
    await use();
    for (let look = 0; look < 3; look++) {
      clock.advance(31_000);
      await use();
    }
    assert.deepEqual(looks.splice(0), [all, "first", "first", "first"]);
    clock.advance(5 * 60_000);
    await use();
    assert.deepEqual(looks.splice(0), [all]);
    secrets.splice(0, 1, secretOf("second"));
    clock.advance(31_000);
    await use();
    assert.deepEqual(looks.splice(0), ["first", all], "the other one is read whole");
    secrets.splice(0, 1, secretOf("second", "rt-2"), secretOf("third"));
    clock.advance(31_000);
    await use();
    assert.deepEqual(looks.splice(0), ["second", all], "it has another label by now");
    const [third] = secrets.splice(1);
    assert.ok(third);
    secrets.splice(0);
    clock.advance(31_000);
    await assert.rejects(use());
    assert.equal((await cluster.probe()).state, "no secret");
    const [first, ...later] = looks.splice(0);
    assert.equal(first, "third");
    assert.deepEqual([...new Set(later)], [all], "there is no name to look for any more");
    secrets.push(third);
    await cluster.probe();
    secrets.push(secretOf("fourth"));
    assert.equal(
      (await cluster.probe()).state,
      "several secrets",
      "whoever heard of a change has all looked at",
    );
  });
});
