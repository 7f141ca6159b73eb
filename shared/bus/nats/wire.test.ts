import assert from "node:assert/strict";
import { test } from "vitest";
import { Unsure, writtenOf } from "./wire.ts";

test("a conflict has two codes, one of them without the sequence that stands", () => {
  assert.deepEqual(writtenOf("s", { error: { err_code: 10071, description: "wrong last sequence: 7" } }), {
    state: "conflict",
    last: 7,
  });
  assert.deepEqual(writtenOf("s", { error: { err_code: 10164, description: "wrong last sequence" } }), {
    state: "conflict",
    last: undefined,
  });
});

test("a full stream and a full store say so; a cluster without a leader may have taken it", () => {
  for (const err_code of [10077, 10023])
    assert.throws(() => writtenOf("s", { error: { err_code, code: 503, description: "full" } }), {
      code: "BUS_FULL",
    });
  assert.throws(() => writtenOf("s", { error: { err_code: 10008, code: 503 } }), Unsure);
  assert.throws(() => writtenOf("s", { error: { err_code: 10052, code: 400, description: "no" } }), {
    code: "BUS_IO",
  });
});
