import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import type { ResourceChanged } from "../../events/index.ts";
import { defineKind, defineSystem, each } from "../function/index.ts";
import { DeclarationError } from "../function/system.ts";
import { createRouter } from "./router.ts";

class Boat extends defineKind({
  group: "heeds.example.org",
  version: "v1",
  kind: "Boat",
  scope: "Namespaced",
  fields: { spec: z.object({ length: z.int() }) },
  status: z.object({
    berth: z.string(),
    crew: z.int(),
    conditions: z.array(z.object({ type: z.enum(["Afloat"]), status: z.string() })),
  }),
  facts: (it) => ({
    generation: it.metadata.generation,
    deleting: it.metadata.deletionTimestamp,
    paused: it.metadata.annotations["reveille.dev/paused"],
    labels: it.metadata.labels,
    berth: it.status.berth,
    afloat: it.status.conditions.of("Afloat"),
  }),
}) {}
class Raft extends defineKind({
  group: "heeds.example.org",
  version: "v1",
  kind: "Raft",
  scope: "Namespaced",
  fields: { spec: z.object({ length: z.int() }) },
  facts: (it) => ({ generation: it.metadata.generation }),
}) {}
const nothing = { reconcile: () => ({}) };

type Data = ResourceChanged["data"];
const changed = (data: Partial<Data>): ResourceChanged => ({
  specversion: "1.0",
  id: "one",
  type: "resource.changed",
  source: "/clusters/c",
  subject: "heeds.example.org/Boat/a/one",
  time: "2026-01-15T10:00:00.000Z",
  datacontenttype: "application/json",
  traceparent: `00-${"1".repeat(32)}-${"1".repeat(16)}-01`,
  data: {
    ref: {
      cluster: "c",
      group: Boat.group,
      version: "v1",
      kind: "Boat",
      namespace: "a",
      name: "one",
      uid: "u",
    },
    era: 0,
    resourceVersion: "2",
    generation: 1,
    lane: "urgent",
    differs: ["status", "facts"],
    facts: FACTS,
    was: FACTS,
    seen: [],
    incomplete: false,
    owners: [],
    deleting: false,
    ...data,
  },
});
const FACTS = { generation: 1, labels: { of: "us" }, berth: "north", afloat: { status: "True" } };

describe("a change of its own object", () => {
  const { route } = createRouter([
    each(Boat, { status: ["crew"] }).function({ name: "hears-all", ...nothing }),
    each(Boat, { status: ["berth"], heeds: ["labels"] }).function({ name: "heeds-labels", ...nothing }),
    each(Boat, { status: [], heeds: ["object"] }).function({ name: "heeds-object", ...nothing }),
    each(Boat, { status: [], heeds: ["status"] }).function({ name: "heeds-status", ...nothing }),
    each(Boat, { status: ["conditions.Afloat"], heeds: [] }).function({ name: "heeds-itself", ...nothing }),
  ]);
  const woken = (data: Partial<Data>): readonly string[] =>
    route(changed(data)).map((item) => item.function.replace("heeds-", ""));
  const all = ["hears-all", "labels", "object", "status", "itself"];
  const differing = (fact: Readonly<Record<string, unknown>>) => ({
    facts: { ...FACTS, ...fact } as Data["facts"],
  });
  const cases: readonly [string, Partial<Data>, readonly string[]][] = [
    ["of the status, told by no fact", { differs: ["status"] }, ["hears-all", "status"]],
    ["of an annotation that is no fact", { differs: ["object"] }, ["hears-all", "object"]],
    [
      "of labels, which are a fact",
      { differs: ["object", "facts"], ...differing({ labels: { of: "them" } }) },
      ["hears-all", "labels", "object"],
    ],
    ["of its own field", differing({ berth: "south" }), ["hears-all", "labels", "status"]],
    ["of its own condition", differing({ afloat: { status: "False" } }), ["hears-all", "status", "itself"]],
    ["of the generation", { differs: ["object", "facts"], ...differing({ generation: 2 }) }, all],
    ["that pauses it", { differs: ["object", "facts"], ...differing({ paused: "true" }) }, all],
    ["that ends it", { differs: ["object", "facts"], ...differing({ deleting: "now" }) }, all],
    [
      "and back, of which each step was seen",
      { seen: [{ ...FACTS, labels: { of: "them" } }] },
      ["hears-all", "labels", "status"],
    ],
    ["of which not all is known", { incomplete: true }, all],
    ["that is not known", { differs: ["unknown"] }, all],
    ["that is its begin", { differs: ["created"], was: undefined }, all],
    ["of which nothing was told before", { was: undefined }, all],
  ];
  for (const [name, data, expected] of cases)
    it(`${name} wakes ${expected.join(", ")}`, () => {
      assert.deepEqual([...woken(data)].sort(), [...expected].sort());
    });

  it("that is gone wakes all", () => {
    const { differs: _, facts, deleting: __, ...data } = changed({}).data;
    const gone = { ...changed({}), type: "resource.deleted" as const, data: { ...data, was: facts } };
    assert.equal(route(gone).length, 5);
  });
});

describe("a function that heeds some facts", () => {
  const refusal = (one: Parameters<typeof defineSystem>[0]["functions"][number]): string => {
    try {
      defineSystem({ name: "harbour", functions: [one] });
    } catch (thrown) {
      assert.ok(thrown instanceof DeclarationError && thrown.code === "DECLARATION_HEEDS");
      return thrown.message;
    }
    return "";
  };
  it("is refused where its kind does not tell what wakes every function", () => {
    const raft = each(Raft, { heeds: ["generation"] }).function({ name: "moor", ...nothing });
    assert.match(refusal(raft), /metadata\.deletionTimestamp is none/);
    assert.equal(refusal(each(Raft, { heeds: ["object"] }).function({ name: "moor", ...nothing })), "");
  });
  it("is refused with a finalizer, unless it heeds the object", () => {
    const finalizer = { name: "harbour.example.org/moor", finalize: () => ({ finalized: true }) };
    const boat = (heeds: readonly ("labels" | "object")[]) =>
      each(Boat, { heeds }).function({ name: "moor", ...nothing, finalizer });
    assert.match(refusal(boat(["labels"])), /finalizer/);
    assert.equal(refusal(boat(["object"])), "");
  });
  it("is refused where it names no fact", () => {
    const boat = each(Boat).function({ name: "moor", ...nothing });
    assert.match(refusal({ ...boat, key: { ...boat.key, heeds: ["depth"] } }), /heeds depth.*berth, afloat/);
  });
});
