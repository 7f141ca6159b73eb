import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { testSeed, turnOf } from "../../infra/testing/system/sample.ts";
import { answer, difference, functionsWith } from "./answers.ts";
import { ask, type Question, skipWithoutOracle } from "./oracle.ts";

const COUNT = 10_000;
/** The generator lies beside the data, with the oracle's sources. */
const generator = join(process.env.CONFORMANCE_DATA ?? "", "../oracle/kudo-template/generate.mjs");
/** Other templates each day where a day is given, so that who looks for a fault on that day meets the same ones. */
const day = testSeed();
const turn = day === undefined ? Date.now() : turnOf(day);
const seed = Number(process.env.TEMPLATE_SEED ?? turn % 1_000_000);
const skip = skipWithoutOracle() || (!existsSync(generator) && process.env.CI !== "true");

describe.skipIf(skip)(`${COUNT} generated templates print what Go prints, TEMPLATE_SEED=${seed}`, () => {
  for (const [library, bad] of [
    ["sigs", 1],
    ["v2", 1],
    ["sigs", 4],
  ] as const)
    test(`toYaml of ${library}, ${bad === 1 ? "few" : "many"} errors`, () => {
      process.stdout.write(`TEMPLATE_SEED=${seed}\n`);
      const count = bad === 1 ? COUNT : COUNT / 4;
      const { stdout, status } = spawnSync(
        process.execPath,
        [generator, "--seed", String(seed), "--count", String(count), "--bad", String(bad)],
        { encoding: "utf8", maxBuffer: 1 << 30 },
      );
      assert.equal(status, 0);
      const questions = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Question);
      assert.equal(questions.length, count);
      const functions = functionsWith(library);
      const theirs = ask(questions, library);
      const wrong = questions.flatMap((question, index) => {
        const ours = answer(question, functions);
        const found = difference(ours, theirs[index] ?? { id: -1 });
        // Go walks a map in another order each time, which `keys`, `values` and `pluck` show.
        const again = found === undefined ? [] : ask(Array<Question>(20).fill(question), library);
        if (again.some((one) => difference(ours, one) === undefined)) return [];
        return found === undefined ? [] : [`number ${question.id}: ${JSON.stringify(question)}\n${found}`];
      });
      assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length} differ`);
    });
});
