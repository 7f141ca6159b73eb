import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { allInNamespace, changed, defineKind, each, type FunctionDeclaration } from "../function/index.ts";
import type { KubeClient, ListPage } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";
import { heldBytes, KnownObjects } from "./known-objects.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ label: z.string() }) },
  status: z.object({ level: z.int() }),
}) {}
const jar = (name: string, letters: number, owner?: string): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: {
    name,
    namespace: "a",
    uid: name,
    resourceVersion: "5",
    generation: 1,
    ...(owner !== undefined && {
      ownerReferences: [{ apiVersion: "v1", kind: "X", name: owner, uid: owner }],
    }),
  },
  spec: { label: "x".repeat(letters) },
});
const KIBIBYTE = 1024;

describe("what a value takes in memory", () => {
  it("is no less than its letters, and than its many empty values", () => {
    assert.ok(heldBytes("x".repeat(1_000)) >= 1_000);
    assert.ok(heldBytes(Array.from({ length: 1_000 }, () => ({}))) >= 64_000);
    assert.ok(heldBytes({ ["x".repeat(1_000)]: 1 }) >= 1_000);
  });
  it("is told however deep it is", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}"${"x".repeat(1_000)}"${"]".repeat(100_000)}`);
    assert.ok(heldBytes(deep) >= 100_000);
  });
});

describe("the objects that a run knows", () => {
  const known = (most: number, ...objects: readonly KubeObject[]): KnownObjects => {
    const all = new KnownObjects("pours", most);
    for (const object of objects) all.set(`unit.example.org/Jar/a/${object.metadata.name}`, object);
    return all;
  };
  it("are measured where their pages might be too much, and refused where they are", () => {
    const few = known(64 * KIBIBYTE, jar("one", 32 * KIBIBYTE));
    few.came(32 * KIBIBYTE);
    few.came(undefined);
    few.set("unit.example.org/Jar/a/two", jar("two", 40 * KIBIBYTE));
    // Light by its text: nobody looks.
    few.came(1);
    assert.throws(() => few.came(40 * KIBIBYTE), {
      code: "READ_TOO_LARGE",
      message: /^What pours reads .* most of it objects of unit\.example\.org\/Jar: make these fewer/,
    });
  });
  it("do not count what was listed and not kept", () => {
    const all = known(64 * KIBIBYTE, jar("one", 10));
    for (let page = 0; page < 100; page++) all.came(8 * 1024 * KIBIBYTE);
  });
  it("begin anew with each pass", () => {
    const all = known(64 * KIBIBYTE, jar("one", 60 * KIBIBYTE));
    all.came(undefined);
    all.clear();
    all.set("unit.example.org/Jar/a/two", jar("two", 60 * KIBIBYTE));
    all.came(undefined);
  });
});

describe("a run whose reads are larger than it may hold", () => {
  /** One attempt in a namespace that holds these jars, of a run that may hold 64 KiB. */
  async function run(declaration: FunctionDeclaration, key: string, jars: readonly KubeObject[]) {
    const page: ListPage = { items: jars, metadata: { resourceVersion: "9" } };
    const client: Partial<KubeClient> = {
      get: async () => jar("one", 1),
      pages: async function* () {
        yield page;
      },
      create: async (_, object) => object,
    };
    return runnerOf(declaration, client, { mostHeldBytes: 64 * KIBIBYTE })(
      leaseOf(itemOf(declaration.name, key)),
    );
  }
  const lists = each(Jar).function({
    name: "lists",
    reads: [],
    wakes: [changed(Jar).toEach(() => true)],
    observe: async ({ self, read }) => ({
      jars: await read.list(Jar, { namespace: self.metadata.namespace }),
    }),
    reconcile: () => ({}),
  });
  const group = allInNamespace(Jar).function({ name: "group", reconcile: () => ({}) });
  const large = Array.from({ length: 10 }, (_, index) => jar(`large${index}`, 10 * KIBIBYTE));

  const owned = each(Jar).function({
    name: "owned",
    reads: [],
    wakes: [changed(Jar).toEach(() => true)],
    observe: async ({ self, read }) => ({ jars: await read.list(Jar, { ownedBy: self }) }),
    reconcile: () => ({}),
  });

  for (const [what, declaration, key] of [
    ["a list", lists, "c/unit.example.org/Jar/a/one"],
    ["a group", group, "c/unit.example.org/Jar/a/*"],
  ] as const) {
    it(`fails for ${what}, and is tried again as its objects may change`, async () => {
      const end = await run(declaration, key, large);
      assert.ok(end.state === "failed", end.state);
      assert.equal(end.error.code, "READ_TOO_LARGE");
      assert.equal(end.retryable, true);
    });
    it(`goes on for ${what} of smaller objects`, async () => {
      assert.equal((await run(declaration, key, large.slice(0, 3))).state, "finished");
    });
  }
  it("goes on for the few that it keeps of a large list", async () => {
    const end = await run(owned, "c/unit.example.org/Jar/a/one", [...large, jar("mine", 10, "one")]);
    assert.equal(end.state, "finished");
  });
});
