import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import type { Envelope } from "../../events/index.ts";
import { judge } from "../../shared/bus/judge.ts";
import { manualClock } from "../../shared/clock/manual.ts";
import { defineKind, each } from "../../shared/function/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { createRouter } from "../../shared/runner/router.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";
import { eventTypesOf } from "./event-types.ts";
import { Travelling } from "./travelling.ts";

const kindThat = (travels: boolean) =>
  defineKind({
    group: "unit.example.org",
    version: "v1",
    kind: travels ? "Suitcase" : "Safe",
    scope: "Namespaced",
    fields: { spec: z.object({ text: z.string() }) },
    status: z.object({ said: z.string() }),
    travels,
  });
class Suitcase extends kindThat(true) {}
class Safe extends kindThat(false) {}

const functions = [
  each(Suitcase).function({ name: "pack", reconcile: () => ({}) }),
  each(Safe).function({ name: "lock", reconcile: () => ({}) }),
];
const watched = new Map(watchListOf(functions).kinds.map((kind) => [kind.kind, kind]));
const kindOf = (kind: string): WatchedKind => watched.get(kind) ?? assert.fail(`${kind} is not watched`);

const objectOf = (kind: string, resourceVersion: string, text = "words"): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind,
  metadata: { name: "one", namespace: "a", uid: "uid-one", resourceVersion, generation: 1 },
  spec: { text },
});
const eventOf = (
  kind: string,
  resourceVersion: string,
  over: { readonly type?: string; readonly uid?: string } = {},
) =>
  ({
    specversion: "1.0",
    id: `event-${resourceVersion}`,
    type: over.type ?? "resource.changed",
    source: "/clusters/c",
    subject: `unit.example.org/${kind}/a/one`,
    time: "2026-01-15T10:00:00.000Z",
    datacontenttype: "application/json",
    data: {
      ref: {
        cluster: "c",
        group: "unit.example.org",
        version: "v1",
        kind,
        namespace: "a",
        name: "one",
        uid: over.uid ?? "uid-one",
      },
      era: 0,
      resourceVersion,
      generation: 1,
      lane: "urgent",
      differs: ["object"],
      facts: {},
      was: {},
      seen: [],
      incomplete: false,
      owners: [],
      wereOwners: [],
      deleting: false,
    },
  }) satisfies Envelope;
const objectIn = (event: Envelope | undefined): unknown =>
  (event?.data as { readonly object?: unknown } | undefined)?.object;

/** What of the objects that were seen goes along with an event. */
function goesAlong(seen: readonly KubeObject[], event: Envelope): unknown {
  const travelling = new Travelling(manualClock());
  for (const object of seen) travelling.saw(object, kindOf(object.kind));
  return objectIn(travelling.withObjects([event])[0]);
}

describe("objects that travel with their events", () => {
  it("are those that the event is about", () => {
    const object = objectOf("Suitcase", "7");
    assert.deepEqual(goesAlong([objectOf("Suitcase", "6"), object], eventOf("Suitcase", "7")), object);
  });

  const others: readonly [string, readonly KubeObject[], Envelope][] = [
    ["kinds that do not let them", [objectOf("Safe", "7")], eventOf("Safe", "7")],
    ["an older version", [objectOf("Suitcase", "6")], eventOf("Suitcase", "7")],
    ["a newer version", [objectOf("Suitcase", "8")], eventOf("Suitcase", "7")],
    ["another uid", [objectOf("Suitcase", "7")], eventOf("Suitcase", "7", { uid: "uid-two" })],
    ["large objects", [objectOf("Suitcase", "7", "x".repeat(16_384))], eventOf("Suitcase", "7")],
    [
      "what kubectl applied",
      [
        {
          ...objectOf("Suitcase", "7"),
          metadata: {
            ...objectOf("Suitcase", "7").metadata,
            annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" },
          },
        },
      ],
      eventOf("Suitcase", "7"),
    ],
    ["other events", [objectOf("Suitcase", "7")], eventOf("Suitcase", "7", { type: "dependency.ready" })],
    ["what was not seen", [], eventOf("Suitcase", "7")],
  ];
  for (const [name, seen, event] of others)
    it(`are not ${name}`, () => assert.equal(goesAlong(seen, event), undefined));

  it("pass the check of events and reach the item of the object's own function, and no other's", () => {
    class Shelf extends defineKind({
      group: "unit.example.org",
      version: "v1",
      kind: "Shelf",
      scope: "Namespaced",
      fields: { spec: z.object({ suitcase: z.string() }) },
    }) {}
    const whole = [
      ...functions,
      each(Shelf).function({ name: "put", owns: [Suitcase], reconcile: () => ({}) }),
    ];
    const object = objectOf("Suitcase", "7");
    const event = eventOf("Suitcase", "7");
    const owned = {
      ...event,
      data: {
        ...event.data,
        object,
        owners: [
          { apiVersion: "unit.example.org/v1", kind: "Shelf", name: "top", uid: "uid-top", controller: true },
        ],
      },
    };
    const judged = judge(owned, 0, eventTypesOf(whole), (it) => createRouter(whole).route(it));
    if ("refused" in judged) assert.fail(JSON.stringify(judged.refused));
    assert.deepEqual(judged.items.map((item) => [item.function, item.object]).toSorted(), [
      ["pack", object],
      ["put", undefined],
    ]);
  });
});
