import assert from "node:assert/strict";
import { test } from "vitest";
import type { Cause } from "../bus/item.ts";
import { onlyFunctionsWoke } from "./only-functions.ts";

const cause = (sort: Cause["sort"], resourceVersion?: string): Cause => ({
  sort,
  eventId: `${sort}/${resourceVersion}`,
  type: "resource.changed",
  revives: false,
  at: "2026-01-15T10:00:00Z",
  ...(resourceVersion !== undefined && { uid: "u", resourceVersion }),
});
const woke = (...causes: readonly Cause[]): Promise<boolean> =>
  onlyFunctionsWoke(causes, async ({ resourceVersion }) => resourceVersion === "ours");

test("a run that goes on by itself, or by a net, was woken by nobody else", async () => {
  assert.equal(await woke(cause("again"), cause("net")), true);
});
test("a change counts as a function's where one of ours wrote that version", async () => {
  assert.equal(await woke(cause("own", "ours"), cause("again")), true);
  assert.equal(await woke(cause("own", "ours"), cause("own", "theirs")), false);
});
test("what tells of no version was somebody else", async () => {
  assert.equal(await woke(cause("command")), false);
});
