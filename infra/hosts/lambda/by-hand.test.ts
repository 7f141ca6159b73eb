import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readByHand } from "./by-hand.ts";

const event = { specversion: "1.0", id: "1", type: "resource.changed", source: "/console" };

describe("what is handed to a Lambda by hand", () => {
  it("is an event, alone or with the wish for a dry run, or asks for a sweep", () => {
    assert.deepEqual(readByHand(event), { asks: "run", event, dryRun: false });
    assert.deepEqual(readByHand({ event }), { asks: "run", event, dryRun: false });
    assert.deepEqual(readByHand({ event, dryRun: true }), { asks: "run", event, dryRun: true });
    assert.deepEqual(readByHand({ event, dryRun: false }), { asks: "run", event, dryRun: false });
    assert.deepEqual(readByHand({ reveille: "sweep" }), { asks: "sweep" });
  });

  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{ event, dryRun: "true" }, /dryRun: expected boolean, received string/],
    [{ event, dryRun: 1 }, /dryRun: expected boolean/],
    [{ event, dryrun: true }, /dryrun: is unknown; did you mean dryRun\?/],
    [{ event, "dry-run": true }, /dry-run: is unknown; did you mean dryRun\?/],
    [{ dryRun: true }, /event: expected object, received undefined/],
    [{ event: [], dryRun: true }, /event: expected object/],
    [{ reveille: "sweeep" }, /reveille: expected "sweep"/],
    [{ reveille: "sweep", function: "x" }, /function: is unknown/],
    [{ Records: [{ eventSource: "aws:sqs" }] }, /Records: is unknown; there are event, dryRun/],
    [null, /expected an object, received null/],
    [undefined, /received undefined/],
    ["x", /received string/],
    [[event], /received an array/],
    [{}, /event: expected object/],
  ];
  for (const [input, said] of refused)
    it(`is refused as ${JSON.stringify(input)?.slice(0, 60)}`, () => {
      assert.throws(() => readByHand(input), { code: "LAMBDA_EVENT_MALFORMED", message: said });
    });
});
