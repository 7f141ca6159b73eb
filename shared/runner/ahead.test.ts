import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { all, allBy, defineKind, each } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int(), shelf: z.string().optional() }) },
  status: z.object({ level: z.int().optional() }),
  facts: (it) => ({ size: it.spec.size, shelf: it.spec.shelf }),
}) {}

const jar = (name: string, namespace = "a", spec: object = { size: 1 }): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: {
    ...{ name, namespace, uid: `${namespace}/${name}`, resourceVersion: "5", generation: 1 },
    creationTimestamp: "2026-01-15T10:00:00Z",
  },
  spec,
});
const KEY = "c/unit.example.org/Jar/a/one";
const each1 = each(Jar).function({ name: "one", reconcile: () => ({}) });

/** A client that answers with one jar, and what it was asked for. */
function jarClient(): { readonly asked: readonly string[]; readonly client: Partial<KubeClient> } {
  const asked: string[] = [];
  const get: KubeClient["get"] = async (_, { name }) => {
    asked.push(name);
    return jar(name);
  };
  return { asked, client: { get } };
}

describe("the read that is begun while a key is taken", () => {
  it("is the one that the run decides on", async () => {
    const { asked, client } = jarClient();
    const runner = runnerOf(each1, client);
    const item = itemOf("one", KEY);
    const ahead = runner.ahead?.(item);
    assert.deepEqual(asked, ["one"]);
    const ending = await runner(leaseOf(item, { ahead }));
    assert.equal(ending.state, "finished");
    assert.deepEqual(asked, ["one"]);
  });

  it("is none where the run will not need one object, or nobody knows the function", async () => {
    const { asked, client } = jarClient();
    const sweep = {
      wake: 0,
      subject: { cluster: "c", name: "hub" },
      facts: [],
      gone: false,
      incomplete: false,
    };
    const flock = all(Jar).function({ name: "flock", reconcile: () => ({}) });
    assert.equal(runnerOf(flock, client).ahead?.(itemOf("flock", "c/unit.example.org/Jar/*/*")), undefined);
    for (const item of [
      itemOf("one", KEY, { sweep }),
      itemOf("nobody", KEY),
      itemOf("one", "no key"),
      itemOf("one", "c/unit.example.org/Jar/*/*"),
    ])
      assert.equal(runnerOf(each1, client).ahead?.(item), undefined);
    assert.deepEqual(asked, []);
  });
});

describe("the object of a further pass", () => {
  /** Steps its level to 2, a pass at a time, on a server that somebody else has moved on before the writes that are named. */
  async function levelled(conflicts: readonly number[]) {
    const asked: string[] = [];
    let live = jar("one");
    let writes = 0;
    const client: Partial<KubeClient> = {
      get: async (_, { name }) => {
        asked.push(name);
        return live;
      },
      apply: async (_, __, body) => {
        writes += 1;
        if (conflicts.includes(writes)) throw new KubeError("stale", "moved on", { request: "apply" });
        const resourceVersion = String(Number(live.metadata.resourceVersion) + 1);
        live = { ...live, status: body.status, metadata: { ...live.metadata, resourceVersion } };
        return live;
      },
    };
    const filled = each(Jar).function({
      name: "one",
      reconcile: ({ self }) => {
        const level = Math.min(2, (self.status?.level ?? 0) + 1);
        return { status: { level }, again: level < 2 };
      },
    });
    const ending = await runnerOf(filled, client)(leaseOf(itemOf("one", KEY)));
    return { ending: ending.state, asked: asked.length, level: live.status };
  }

  it("is the server's answer to what the pass before wrote of it, which is not read again", async () => {
    assert.deepEqual(await levelled([]), { ending: "finished", asked: 1, level: { level: 2 } });
  });

  it("is read where that answer is outdated", async () => {
    assert.deepEqual(await levelled([2]), { ending: "finished", asked: 2, level: { level: 2 } });
  });
});

describe("the members of a group", () => {
  /** The members that a function of this key decides on, of jars that a server lists in this order. */
  async function membersOf(
    key: "all" | "shelf",
    listed: readonly KubeObject[],
    of = "c/unit.example.org/Jar/*/*",
  ): Promise<readonly string[]> {
    let seen: readonly string[] = [];
    const bound = key === "all" ? all(Jar) : allBy(Jar, "shelf");
    const flock = bound.function({
      name: "flock",
      reconcile: ({ members }) => {
        seen = members.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
        return {};
      },
    });
    const pages: KubeClient["pages"] = async function* () {
      yield { metadata: { resourceVersion: "9" }, items: [...listed], weight: 1 };
    };
    const ending = await runnerOf(flock, { pages })(leaseOf(itemOf("flock", of)));
    assert.equal(ending.state, "finished", JSON.stringify(ending));
    return seen;
  }

  it("have one order, whatever the server's: by age, name and namespace", async () => {
    const old = jar("z");
    const older = { ...old, metadata: { ...old.metadata, creationTimestamp: "2026-01-15T09:00:00Z" } };
    const jars = [jar("b", "a"), jar("a", "b"), jar("a", "a"), older];
    const expected = ["a/z", "a/a", "b/a", "a/b"];
    assert.deepEqual(await membersOf("all", jars), expected);
    assert.deepEqual(await membersOf("all", jars.toReversed()), expected);
  });

  it("are those alone that share the fact, and no longer share it as soon as it has changed", async () => {
    const jars = [
      jar("one", "a", { size: 1, shelf: "top" }),
      jar("two", "b", { size: 1, shelf: "low" }),
      jar("three", "c", { size: 1 }),
    ];
    assert.deepEqual(await membersOf("shelf", jars, "c/unit.example.org/Jar/*/=top"), ["a/one"]);
    assert.deepEqual(await membersOf("shelf", jars, "c/unit.example.org/Jar/*/=none"), []);
  });
});
