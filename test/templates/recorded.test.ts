import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { answer, difference, functionsWith } from "./answers.ts";
import { asked, recorded } from "./recorded.ts";

describe("templates print what Go printed", () => {
  for (const library of ["sigs", "v2"] as const)
    test(`toYaml of ${library}`, () => {
      const lines = recorded();
      assert.ok(lines.length > 300);
      const functions = functionsWith(library);
      const wrong = lines.flatMap((line, id) => {
        const theirs = { id, ...(library === "v2" ? (line.v2 ?? line.answer) : line.answer) };
        const found = difference(answer(asked(line, id), functions), theirs);
        return found === undefined ? [] : [`${JSON.stringify(line.question.template)}\n${found}`];
      });
      assert.deepEqual(wrong, []);
    });
});
