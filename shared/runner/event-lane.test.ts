import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { defineEvent, defineKind, on } from "../function/index.ts";
import type { Wake } from "../function/wakes.ts";
import { laneOfEvent, laneOfFound } from "./event-lane.ts";

class Boat extends defineKind({
  group: "harbour.example.org",
  version: "v1",
  kind: "Boat",
  scope: "Namespaced",
  fields: { spec: z.object({}) },
  status: z.object({}),
}) {}
const horn = defineEvent("horn.heard", z.object({ boat: z.string() }), ({ boat }) => `horn.heard ${boat}`);
const heard = on(horn);
const every = (): boolean => true;

for (const [title, wake, lane] of [
  ["names the key", heard.toName<typeof Boat>(({ boat }) => ({ name: boat, namespace: "sea" })), "urgent"],
  ["selects by name", heard.toEach<typeof Boat>(every, { where: ({ boat }) => ({ name: boat }) }), "urgent"],
  [
    "selects by labels",
    heard.toEach<typeof Boat>(every, { where: ({ boat }) => ({ labels: { boat } }) }),
    "urgent",
  ],
  ["selects by no label", heard.toEach<typeof Boat>(every, { where: () => ({ labels: {} }) }), "sweep"],
  ["selects a namespace", heard.toEach<typeof Boat>(every, { where: () => ({ namespace: "sea" }) }), "sweep"],
  ["selects nobody", heard.toEach<typeof Boat>(every, { where: () => undefined }), "sweep"],
  ["looks through all", heard.toEach<typeof Boat>(every), "sweep"],
  [
    "fails to select",
    heard.toEach<typeof Boat>(every, {
      where: () => {
        throw new Error("no such boat");
      },
    }),
    "sweep",
  ],
] satisfies [string, Wake<typeof Boat, never>, string][])
  it(`an event whose wake ${title} goes in the lane ${lane}`, () => {
    assert.equal(laneOfEvent(wake as Wake<never>, { boat: "ann" }), lane);
  });

it("many keys of one event are a sweep", () => {
  assert.deepEqual(
    [laneOfFound("urgent", 100), laneOfFound("urgent", 101), laneOfFound("sweep", 1)],
    ["urgent", "sweep", "sweep"],
  );
});
