import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { catalogue, type Envelope, parseEvent } from "../../events/index.ts";
import { judge } from "../../shared/bus/judge.ts";
import { isOwnEvent } from "../../shared/bus/own-events.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { widgets } from "../testing/watched-cluster.ts";
import type { LedgerRow } from "./ledger-lines.ts";
import { join, type Mark, markOf } from "./mark.ts";
import { publishGone, publishPresent } from "./publication.ts";
import { entryOf, sight } from "./sighting.ts";

const publisher = { cluster: "north", watched: widgets, entry: entryOf(widgets), stream: 1 };

const text = fc.oneof(
  fc.string(),
  fc.constantFrom("", "a", "widget-1", "x".repeat(128), "x".repeat(253), "x".repeat(254)),
);
const isSome = (value: string): boolean => value !== "";
const owner = fc.record({ apiVersion: text, kind: text, name: text, uid: text, controller: fc.boolean() });
/** What a server may send; JSON knows a number without end too. */
const value = fc.oneof(fc.jsonValue(), fc.constant(Number.POSITIVE_INFINITY), fc.constant("x".repeat(5_000)));
const object = fc.record({
  apiVersion: fc.constant("bench.example.org/v1"),
  kind: fc.constant("Widget"),
  metadata: fc.record({
    name: text.filter(isSome),
    namespace: text,
    uid: text.filter(isSome),
    resourceVersion: fc.oneof(fc.nat().map(String), text.filter(isSome)),
    generation: fc.oneof(fc.integer(), fc.double()),
    ownerReferences: fc.array(owner, { maxLength: 3 }),
  }),
  spec: fc.record({ value }),
  status: fc.record({ conditions: fc.constantFrom([], [{ type: "Ready", status: "True" }]) }),
});
const sighting = object.map((one) => sight(one as KubeObject, widgets));

const finding = (at: number, deleted: boolean) => ({
  by: "stream" as const,
  lane: "urgent" as const,
  deleted,
  era: 0,
  before: undefined,
  asOf: "1",
  at,
});

/** The ledger's row of what was published before. */
const rowOf = ({ last }: Mark): LedgerRow => ({ ...last, era: 0, entry: publisher.entry });

/** What is told of an object that somebody knew, that changes, and of its end. */
const told = (before: Mark | undefined, now: readonly Mark[]): readonly Envelope[] => {
  const row = before && rowOf(before);
  const mark = now.reduce(join);
  return [
    ...publishPresent(publisher, mark, row).events,
    ...publishGone(publisher, mark, row, "urgent").events,
  ];
};

const faultsOf = (event: Envelope): readonly string[] => {
  const parsed = parseEvent(event);
  return parsed.ok ? [] : parsed.issues;
};

describe("an event that the watcher built", () => {
  test("is its own only where its schema takes it, whatever the objects say", () => {
    fc.assert(
      fc.property(fc.option(sighting), fc.array(sighting, { minLength: 1, maxLength: 4 }), (was, seen) => {
        const before = was === null ? undefined : markOf(was, finding(1, false));
        const marks = seen.map((one, index) => markOf(one, finding(index + 2, index % 3 === 2)));
        for (const event of told(before, marks)) if (isOwnEvent(event)) assert.deepEqual(faultsOf(event), []);
      }),
    );
  });

  test("is its own where its object is an ordinary one", () => {
    const at = (resourceVersion: string, amount: number, status: string) =>
      markOf(
        sight(
          {
            apiVersion: "bench.example.org/v1",
            kind: "Widget",
            metadata: { name: "lamp", namespace: "hall", uid: "1", resourceVersion, generation: 1 },
            spec: { value: amount },
            status: { conditions: [{ type: "Ready", status }] },
          },
          widgets,
        ),
        finding(1, false),
      );
    const events = told(at("1", 1, "False"), [at("2", 2, "True"), at("3", 3, "False")]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["resource.changed", "dependency.lost", "resource.deleted", "dependency.lost"],
    );
    assert.ok(events.every(isOwnEvent));
  });

  test("is refused with the same faults as any other where its object cannot be told", () => {
    const nameless = sight(
      {
        apiVersion: "bench.example.org/v1",
        kind: "Widget",
        metadata: { name: "x".repeat(254), namespace: "hall", uid: "1", resourceVersion: "1" },
      },
      widgets,
    );
    const [event] = told(undefined, [markOf(nameless, finding(1, false))]);
    assert.ok(event !== undefined);
    const judged = judge(event, 0, catalogue, () => []);
    assert.ok("refused" in judged);
    assert.deepEqual(judged.refused.issues, faultsOf(event));
  });
});
