import assert from "node:assert/strict";
import { test } from "vitest";
import { outagesText } from "./trials.ts";

test("each outage is told with how long it was, what was changed and when all was well", () => {
  const outage = { what: "NATS is away", seconds: 600, changes: 64, healedAfterSeconds: 2.512 };
  assert.equal(
    outagesText([outage, { ...outage, what: "the table is away" }]),
    [
      "NATS is away, for 600 s: 64 changes, 0 missed, 0 dead letters, healed after 2.5 s",
      "the table is away, for 600 s: 64 changes, 0 missed, 0 dead letters, healed after 2.5 s",
    ].join("\n"),
  );
});
