import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeClient, Resource } from "./client.ts";
import { KubeError } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import { ServedVersions } from "./served-versions.ts";

const VALVES: Resource = {
  group: "unit.example.org",
  version: "v2",
  versions: ["v2", "v1"],
  kind: "Valve",
  plural: "valves",
  scope: "Namespaced",
};
const AT = { namespace: "default", name: "one" };
const BY = { fieldManager: "unit" };
const valve = (version: string): KubeObject => ({
  apiVersion: `unit.example.org/${version}`,
  kind: "Valve",
  metadata: AT,
});

/** A server that offers these versions of the kind, and what it was asked. */
function serverOf(...offered: string[]) {
  const asked: string[] = [];
  const bodies: KubeObject[] = [];
  const answer = async (what: string, { version }: Resource): Promise<KubeObject> => {
    asked.push(`${what} ${version}`);
    if (!offered.includes(version))
      throw new KubeError("kindMissing", `no ${version}`, { request: `${what} ${version}` });
    return valve(version);
  };
  const told = {
    get: (resource: Resource) => answer("get", resource),
    apply: (resource: Resource, _: unknown, body: KubeObject) => {
      bodies.push(body);
      return answer("apply", resource);
    },
    pages: async function* (resource: Resource) {
      yield { items: [await answer("list", resource)], metadata: { resourceVersion: "1" } };
    },
    discover: async (_: string, version: string) => {
      asked.push(`discover ${version}`);
      return offered.includes(version) ? [{ ...VALVES, version }] : [];
    },
  };
  const client = new ServedVersions(told as unknown as KubeClient);
  return { client, asked, bodies, offered };
}

describe("a client for kinds in several versions", () => {
  it("asks once, and sends to the first that is served", async () => {
    const { client, asked, bodies } = serverOf("v1");
    await Promise.all([client.get(VALVES, AT), client.get(VALVES, AT)]);
    await client.apply(VALVES, AT, valve("v2"), BY);
    assert.deepEqual(asked, ["discover v2", "discover v1", "get v1", "get v1", "apply v1"]);
    assert.deepEqual(bodies, [valve("v1")]);
  });

  it("takes the best of those that are served", async () => {
    const { client, asked } = serverOf("v1", "v2");
    await client.get(VALVES, AT);
    assert.deepEqual(asked, ["discover v2", "get v2"]);
  });

  it("asks anew once the version is gone", async () => {
    const { client, asked, offered } = serverOf("v1");
    await client.get(VALVES, AT);
    offered.splice(0, 1, "v2");
    asked.length = 0;
    assert.equal((await client.get(VALVES, AT))?.apiVersion, "unit.example.org/v2");
    offered.splice(0, 1, "v1");
    for await (const page of client.pages(VALVES)) assert.deepEqual(page.items, [valve("v1")]);
    assert.deepEqual(asked, [
      ...["get v1", "discover v2", "get v2"],
      ...["list v2", "discover v2", "discover v1", "list v1"],
    ]);
  });

  it("says that the kind is missing where none is served, and finds it once it has come", async () => {
    const { client, asked, offered } = serverOf();
    await assert.rejects(client.get(VALVES, AT), { kind: "kindMissing" });
    assert.deepEqual(asked, ["discover v2", "discover v1", "get v2"]);
    offered.push("v1");
    assert.equal((await client.get(VALVES, AT))?.apiVersion, "unit.example.org/v1");
  });

  it("leaves kinds of one version as they are", async () => {
    const { client, asked, bodies } = serverOf("v1");
    const { versions: _, ...one } = VALVES;
    await client.apply({ ...one, version: "v1" }, AT, valve("v0"), BY);
    assert.deepEqual(asked, ["apply v1"]);
    assert.deepEqual(bodies, [valve("v0")]);
  });
});
