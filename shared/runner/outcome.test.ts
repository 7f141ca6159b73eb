import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { defineKind, each } from "../function/index.ts";
import { checkDeadlines, checkOutcome, checkStatus } from "./outcome.ts";

class Gauge extends defineKind({
  group: "outcome.example.org",
  version: "v1",
  kind: "Gauge",
  scope: "Namespaced",
  fields: { spec: z.object({}) },
  status: z.object({
    level: z.int(),
    note: z.string().optional(),
    conditions: z.array(z.object({ type: z.enum(["Ready", "Full"]), status: z.string() })).optional(),
  }),
}) {}
const whole = each(Gauge).function({ name: "whole", reconcile: () => ({}) });
const part = each(Gauge, { status: ["note", "conditions.Ready"] }).function({
  name: "part",
  reconcile: () => ({}),
});

describe("what a function returns is looked at before anything of it is done", () => {
  const refused: readonly [string, unknown, RegExp][] = [
    ["a promise", Promise.resolve({}), /a promise: reconcile is pure/],
    ["nothing", undefined, /undefined where an outcome was expected/],
    ["null", null, /null where an outcome was expected/],
    ["a part that does not exist", { statuses: {} }, /the unknown part "statuses"/],
  ];
  for (const [what, outcome, message] of refused)
    it(`refuses ${what}`, () => assert.throws(() => checkOutcome(whole, outcome), message));
  it("takes an empty outcome", () => assert.doesNotThrow(() => checkOutcome(whole, {})));
});

describe("a status that the kind does not declare is refused with its path", () => {
  const cases: readonly [string, typeof whole | typeof part, unknown, RegExp | undefined][] = [
    ["a right one", whole, { level: 1 }, undefined],
    ["an unknown field", whole, { level: 1, note2: "x" }, /unknown field status\.note2/],
    ["a wrong type", whole, { level: "1" }, /status\.level: /],
    ["a missing field", whole, {}, /status\.level: /],
    [
      "an unknown condition",
      whole,
      { level: 1, conditions: [{ type: "Empty", status: "True" }] },
      /status\.conditions\.0\.type/,
    ],
    ["its own part", part, { note: "x", conditions: [{ type: "Ready", status: "True" }] }, undefined],
    ["another's field", part, { level: 1 }, /status\.level is not its part/],
    [
      "another's condition",
      part,
      { conditions: [{ type: "Full", status: "True" }] },
      /the condition Full is not its part/,
    ],
    ["a list", whole, [], /it is no object/],
  ];
  for (const [what, declaration, status, message] of cases)
    it(what, () => {
      if (message === undefined) checkStatus(declaration, status);
      else assert.throws(() => checkStatus(declaration, status), message);
    });
});

describe("deadlines", () => {
  const now = "2026-01-01T00:00:00.000Z";
  it("lie ahead", () => {
    assert.doesNotThrow(() => checkDeadlines(whole, { wakeAt: { soon: "2026-01-01T00:00:00.001Z" } }, now));
    assert.throws(() => checkDeadlines(whole, { wakeAt: { late: now } }, now), {
      code: "OUTCOME_DEADLINE_PAST",
    });
    assert.throws(() => checkDeadlines(whole, { wakeAt: { odd: "tomorrow" } }, now), {
      code: "OUTCOME_DEADLINE",
    });
  });
});
