import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { afterEach, describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { createAuthority } from "../../tls/index.ts";
import type { KubeClient, ListOptions } from "../client.ts";
import { defineClusters } from "../clusters.ts";
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
const authority = createAuthority({ commonName: "one" });
const { certificate: cert, key } = authority.issue({ commonName: "one", serverNames: ["127.0.0.1"] });
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server of which the probes may hang, and a home whose Secrets lead there. */
async function stage() {
  const asked: string[] = [];
  const held: ServerResponse[] = [];
  let probesHang = false;
  let isRefusing = false;
  const server = createServer({ cert, key }, ({ url = "" }, response) => {
    asked.push(url);
    if (isRefusing) response.writeHead(401).end();
    else if (url === "/readyz" && probesHang) held.push(response);
    else response.end(url === "/readyz" ? "ok" : JSON.stringify({ metadata: { name: "one" } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const config = JSON.stringify({
    "current-context": "one",
    contexts: [{ name: "one", context: { cluster: "one", user: "one" } }],
    clusters: [
      {
        name: "one",
        cluster: {
          server: `https://127.0.0.1:${address.port}`,
          "certificate-authority-data": Buffer.from(authority.certificate).toString("base64"),
        },
      },
    ],
    users: [{ name: "one", user: { token: "one" } }],
  });
  const secretOf = (name: string): KubeObject => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "kcp-system", uid: name, resourceVersion: "1" },
    data: { config: Buffer.from(config).toString("base64") },
  });
  const secrets = [secretOf("first")];
  const lists: (string | undefined)[] = [];
  const home: Partial<KubeClient> = {
    list: async (_, { fieldSelector, limit }: ListOptions = {}) => {
      lists.push(fieldSelector);
      const found = secrets.filter(
        ({ metadata }) => fieldSelector === undefined || fieldSelector === `metadata.name=${metadata.name}`,
      );
      return { items: found.slice(0, limit), metadata: { resourceVersion: "1" } };
    },
  };
  const clock = new ManualClock();
  const others = new OtherClusters({ home: home as KubeClient, clock, random: () => 0 });
  ends.push(() => {
    others.close();
    server.closeAllConnections();
    server.close();
  });
  const cluster = others.at(runtimes, "rt-1");
  return {
    clock,
    cluster,
    lists,
    secrets,
    secretOf,
    asked,
    hang: () => {
      probesHang = true;
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

  it("has its Secret looked for by its name, and now and then among all", async () => {
    const { use, clock, lists, secrets, secretOf, cluster } = await stage();
    await use();
    for (let look = 0; look < 3; look++) {
      clock.advance(31_000);
      await use();
    }
    const named = "metadata.name=first";
    assert.deepEqual(lists.splice(0), [undefined, named, named, named]);
    clock.advance(5 * 60_000);
    await use();
    assert.deepEqual(lists.splice(0), [undefined]);
    secrets.splice(0, 1, secretOf("second"));
    clock.advance(31_000);
    await use();
    assert.deepEqual(lists.splice(0), [named, undefined], "the other one is read whole");
    secrets.push(secretOf("third"));
    assert.equal(
      (await cluster.probe()).state,
      "several secrets",
      "whoever heard of a change has all looked at",
    );
  });
});
