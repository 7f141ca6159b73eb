import assert from "node:assert/strict";
import { describe, test } from "vitest";
import * as z from "zod";
import { catalogue, type Envelope } from "../../events/index.ts";
import changed from "../../events/samples/resource-changed.json" with { type: "json" };
import { judge } from "./judge.ts";
import { asOwnEvent, isOwnEvent } from "./own-events.ts";

/** One that no schema takes, so that it shows whether it was looked at. */
const faulty = (): Envelope => ({
  specversion: "1.0",
  id: "1",
  type: "resource.changed",
  source: "/clusters/north",
  time: "2026-01-15T10:00:00.000Z",
  datacontenttype: "application/json",
  data: { ...changed.data, ref: { ...changed.data.ref, name: "" } },
});
const isTaken = (input: unknown, types = catalogue): boolean =>
  !("refused" in judge(input, 0, types, () => []));

describe("an event that says it is this process's own", () => {
  const own = asOwnEvent(faulty());
  test("is taken as it is where it is", () => {
    assert.ok(isTaken(own));
  });
  const forged: Readonly<Record<string, unknown>> = {
    "one that came as text": JSON.parse(JSON.stringify(own)),
    "a copy": { ...own },
    "a clone": structuredClone(own),
    "one made from it": Object.create(own),
    "its stand-in": new Proxy(own, {}),
    "one that nobody marked": faulty(),
  };
  for (const [what, event] of Object.entries(forged))
    test(`is refused where it is ${what}`, () => {
      assert.equal(isOwnEvent(event), false);
      assert.equal(isTaken(event), false);
    });
  test("is looked at by a bus that knows its type otherwise, or not at all", () => {
    const other = { type: "resource.changed", meaning: "", data: z.object({ more: z.string() }) };
    assert.equal(isTaken(own, new Map([[other.type, other]])), false);
    assert.equal(isTaken(own, new Map()), false);
  });
});
