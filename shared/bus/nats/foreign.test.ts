import assert from "node:assert/strict";
import { test } from "vitest";
import { silent } from "../../log/log.ts";
import { Foreign } from "./foreign.ts";

const MANY = 3_000;

for (const sort of ["met", "newer"] as const)
  test(`each subject that was ${sort} is told once, and not all that ever were are remembered`, () => {
    const told: unknown[] = [];
    const keep = (fields: object): void => {
      told.push(fields);
    };
    const foreign = new Foreign({ ...silent, warn: keep, error: keep });
    foreign[sort]("first");
    foreign[sort]("first");
    assert.equal(told.length, 1);
    for (let number = 0; number < MANY; number++) foreign[sort](`other.${number}`);
    foreign[sort]("first");
    assert.equal(told.length, MANY + 2, "the first one has been forgotten");
  });
