import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Workflow } from "../../kinds/index.ts";
import { duplicatesOf, namesakeOf } from "./workflow-plan.ts";

const HUB = "http://hub-a";
const workflow = (namespace: string, hour: number, url?: string): Workflow =>
  ({
    metadata: { name: "flow", namespace, creationTimestamp: `2026-01-15T1${hour}:00:00Z`, annotations: {} },
    ...(url !== undefined && { status: { services: { dataIndexRef: { url } } } }),
  }) as Workflow;
const said = (self: Workflow, all: readonly Workflow[], url: string | undefined): readonly string[] =>
  duplicatesOf(self, all.map(namesakeOf), url).map(
    ({ workflow: { metadata }, oldest }) => `${metadata.namespace} is not ${oldest}`,
  );

describe("workflows of one name", () => {
  const one = workflow("one", 1, HUB);
  const two = workflow("two", 2, HUB);
  const three = workflow("three", 3, HUB);

  it("are told apart where they use different Data Indexes, or none", () => {
    const all = [one, workflow("two", 2, "http://hub-b"), workflow("three", 3)];
    assert.deepEqual(said(one, all, HUB), []);
    assert.deepEqual(said(two, [two, workflow("one", 1)], HUB), []);
    assert.deepEqual(said(two, [one, two], undefined), []);
  });

  it("that share one: the younger warns itself of the oldest, the oldest all others", () => {
    const all = [three, one, two];
    assert.deepEqual(said(three, all, HUB), ["three is not one"]);
    assert.deepEqual(said(two, all, HUB), ["two is not one"]);
    assert.deepEqual(said(one, all, HUB), ["two is not one", "three is not one"]);
  });

  it("are warned in whatever order they take up an index and look", () => {
    const names = ["one", "two", "three"] as const;
    // Each takes it up and looks later: all orders of three such pairs.
    const orders = (left: readonly string[]): readonly (readonly string[])[] =>
      left.length === 0
        ? [[]]
        : [...new Set(left)].flatMap((next) => {
            const rest = left.toSpliced(left.indexOf(next), 1);
            return orders(rest).map((order) => [next, ...order]);
          });
    const all = orders(names.flatMap((name) => [name, name]));
    assert.equal(all.length, 90);
    for (const order of all) {
      const hours = Object.fromEntries(names.map((name, index) => [name, index + 1]));
      const at = new Set<string>();
      const warned = new Set<string>();
      const world = (): Workflow[] =>
        names.map((name) => workflow(name, hours[name] ?? 0, at.has(name) ? HUB : undefined));
      for (const name of order)
        if (!at.has(name)) at.add(name);
        else {
          const self = world().find(({ metadata }) => metadata.namespace === name) ?? assert.fail();
          for (const { workflow: told } of duplicatesOf(self, world().map(namesakeOf), HUB))
            warned.add(told.metadata.namespace);
        }
      assert.deepEqual([...warned].sort(), ["three", "two"], order.join(" "));
    }
  });
});
