import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { shortestPath } from "./path.ts";

const edges = (graph: Readonly<Record<string, string>>) => (node: string) =>
  [...(graph[node] ?? "")].map((to) => ({ to }));
const way = (graph: Readonly<Record<string, string>>, from: string, to: string): string | undefined =>
  shortestPath(from, to, edges(graph))
    ?.map((step) => step.to)
    .join("");

test("the shortest way is found, circles or not", () => {
  const graph = { a: "bc", b: "d", c: "e", d: "ae", e: "f" };
  assert.equal(way(graph, "a", "f"), "cef");
  assert.equal(way(graph, "a", "a"), "");
  assert.equal(way(graph, "f", "a"), undefined);
  assert.equal(way(graph, "d", "a"), "a");
});

test("each step is an edge, and no way is shorter", () => {
  const nodes = "abcdefg";
  const graphs = fc.record(
    Object.fromEntries([...nodes].map((node) => [node, fc.subarray([...nodes]).map((to) => to.join(""))])),
  );
  fc.assert(
    fc.property(graphs, fc.constantFrom(...nodes), fc.constantFrom(...nodes), (graph, from, to) => {
      const found = way(graph, from, to);
      // By definition: all nodes within n steps.
      let within = new Set([from]);
      let steps = 0;
      while (!within.has(to) && steps <= nodes.length) {
        within = new Set([...within, ...[...within].flatMap((node) => [...(graph[node] ?? "")])]);
        steps += 1;
      }
      assert.equal(found?.length, within.has(to) ? steps : undefined);
      let at = from;
      for (const next of found ?? "") {
        assert.ok(graph[at]?.includes(next));
        at = next;
      }
    }),
  );
});
