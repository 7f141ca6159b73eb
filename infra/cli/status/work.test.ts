import assert from "node:assert/strict";
import { test } from "vitest";
import { noCounts } from "../../../shared/bus/counts-of.ts";
import { awayLines } from "./work.ts";

test("keys behind a connection that was away are told, and that nobody has to do anything about them", () => {
  assert.deepEqual(awayLines({ widget: noCounts }), []);
  const [, line = ""] = awayLines({ widget: { ...noCounts, away: 2 }, gadget: { ...noCounts, away: 1 } });
  assert.match(line, /^3 keys wait behind a connection that was away/);
  assert.match(line, /nothing has to be redriven/);
});
