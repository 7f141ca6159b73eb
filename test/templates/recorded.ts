import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Question } from "./oracle.ts";

/** The file of questions and Go's answers. */
export const RECORDED = join(import.meta.dirname, "recorded.jsonl");

/** A question, the answer where `toYaml` is of sigs.k8s.io/yaml, and where another, that of gopkg.in/yaml.v2. */
export interface Recorded {
  readonly question: Omit<Question, "id">;
  readonly answer: Omit<Answer, "id">;
  readonly v2?: Omit<Answer, "id">;
}

/** The data of questions that bring none. */
const DATA = {
  vars: { Name: "web", Nil: null, L: [1, "b", null], D: { b: 1, a: null }, T: true },
  params: { A: { type: "string", value: "x" } },
};

/** All that is recorded. */
export const recorded = (): readonly Recorded[] =>
  readFileSync(RECORDED, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);

/** The question as it is asked. */
export const asked = ({ question }: Recorded, id: number): Question => ({ ...DATA, ...question, id });
