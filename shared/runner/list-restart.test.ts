import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { allInNamespace, changed, defineKind, each, type FunctionDeclaration } from "../function/index.ts";
import type { KubeClient, ListPage } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int() }),
}) {}
const jar = (name: string): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: { name, namespace: "a", uid: name, resourceVersion: "5", generation: 1 },
  spec: { size: 1 },
});
const page = (name: string, more: Partial<ListPage> = {}): ListPage => ({
  items: [jar(name)],
  metadata: { resourceVersion: "9" },
  ...more,
});

/** One run while jar `gone` is deleted between two pages of the first list, whose token expires. */
async function run(declaration: FunctionDeclaration, key: string): Promise<void> {
  let lists = 0;
  const client: Partial<KubeClient> = {
    get: async () => jar("a"),
    pages: async function* () {
      if (++lists === 1) {
        yield page("gone");
        yield page("a", { restarted: true });
      } else yield page("a");
      yield page("b");
    },
  };
  const end = await runnerOf(declaration, client)(leaseOf(itemOf(declaration.name, key)));
  assert.equal(end.state, "finished");
}

it("decides on a list that began anew as it is now, each object once", async () => {
  const decided: string[][] = [];
  const lists = each(Jar).function({
    name: "lists",
    reads: [],
    wakes: [changed(Jar).toEach(() => true)],
    observe: async ({ self, read }) => ({
      jars: await read.list(Jar, { namespace: self.metadata.namespace }),
    }),
    reconcile: ({ jars }) => {
      decided.push(jars.map(({ metadata }) => metadata.name));
      return {};
    },
  });
  await run(lists, "c/unit.example.org/Jar/a/a");
  assert.deepEqual(decided, [["a", "b"]]);
});

it("decides on a group whose list began anew as it is now, each member once", async () => {
  const decided: string[][] = [];
  const group = allInNamespace(Jar).function({
    name: "group",
    reconcile: ({ members }) => {
      decided.push(members.map(({ metadata }) => metadata.name));
      return {};
    },
  });
  await run(group, "c/unit.example.org/Jar/a/*");
  assert.deepEqual(decided, [["a", "b"]]);
});
