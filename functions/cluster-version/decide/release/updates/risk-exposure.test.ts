import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { QueryVerdict } from "../../../ports/update-graph/index.ts";
import type { Risk } from "../types.ts";
import { type Exposure, exposuresOf, recommendedVerdict } from "./risk-exposure.ts";

const risk = (name: string, ...queries: readonly (string | undefined)[]): Risk => ({
  name,
  url: `https://risk.example/${name}`,
  message: `${name} happens.`,
  matchingRules: queries.map((promql) =>
    promql === undefined ? { type: "Always" } : { type: "PromQL", promql: { promql } },
  ),
});
const VERDICTS: Readonly<Record<string, QueryVerdict>> = {
  yes: { state: "match" },
  no: { state: "no match" },
  away: { state: "failed", cause: "nobody answers" },
  odd: { state: "failed", cause: "two series" },
};
const asked: string[] = [];
const evaluate = async (promql: string): Promise<QueryVerdict> => {
  asked.push(promql);
  return VERDICTS[promql] ?? { state: "failed", cause: "unknown query" };
};
const release = { version: "5.2.0", image: "i" };
const exposures = (...risks: Risk[]) => exposuresOf([{ release, risks }], evaluate);

describe("whether a risk applies", () => {
  for (const [name, rules, expected] of [
    ["always", [undefined], { state: "applies" }],
    ["the query says so", ["yes"], { state: "applies" }],
    ["the query denies it", ["no"], { state: "does not apply" }],
    ["the first rule that can be evaluated decides", ["away", "no", "yes"], { state: "does not apply" }],
    ["always, after a query that fails", ["away", undefined], { state: "applies" }],
    ["no rule can be evaluated", ["away", "odd"], { state: "unknown", cause: "nobody answers; two series" }],
  ] as const)
    test(name, async () => assert.deepEqual((await exposures(risk("A", ...rules))).get("A"), expected));
  test("each risk is asked about once, in the newest update's words", async () => {
    asked.length = 0;
    const older = { release: { version: "5.1.10", image: "j" }, risks: [risk("A", "no")] };
    const found = await exposuresOf([{ release, risks: [risk("A", "yes")] }, older], evaluate);
    assert.deepEqual([asked, found.get("A")], [["yes"], { state: "applies" }]);
  });
});

test("few are asked at once, and all in the end", async () => {
  const waiting: (() => void)[] = [];
  const slow = (): Promise<QueryVerdict> =>
    new Promise((resolve) => waiting.push(() => resolve({ state: "no match" })));
  const many = Array.from({ length: 10 }, (_, n) => risk(`A${n}`, `q${n}`));
  const asking = exposuresOf([{ release, risks: many }], slow);
  const counts: number[] = [];
  for (let answered = 0; answered < 10; ) {
    await new Promise((resolve) => setImmediate(resolve));
    counts.push(waiting.length);
    for (const answer of waiting.splice(0)) {
      answered += 1;
      answer();
    }
  }
  assert.equal((await asking).size, 10);
  assert.equal(Math.max(...counts), 4);
});

describe("whether an update is recommended", () => {
  const applies: Exposure = { state: "applies" };
  const not: Exposure = { state: "does not apply" };
  const unknown: Exposure = { state: "unknown", cause: "away" };
  const NOT_KNOWN =
    "Could not evaluate exposure to update risk B (away)\n  B description: B happens.\n  B URL: https://risk.example/B";
  const A = "A happens. https://risk.example/A";
  for (const [name, states, accepted, expected] of [
    ["no risk applies", [not, not], [], ["True", "NotExposedToRisks"]],
    ["one applies", [applies, not], [], ["False", "A", A]],
    [
      "two apply",
      [applies, applies],
      [],
      ["False", "MultipleReasons", `${A}\n\nB happens. https://risk.example/B`],
    ],
    ["one cannot be told", [not, unknown], [], ["Unknown", "EvaluationFailed", NOT_KNOWN]],
    [
      "one applies and one cannot be told",
      [applies, unknown],
      [],
      ["False", "MultipleReasons", `${A}\n\n${NOT_KNOWN}`],
    ],
    ["all that apply are accepted", [applies, not], ["A"], ["True", "AllExposedRisksAccepted"]],
    ["one that applies is not accepted", [applies, applies], ["B"], ["False", "A", A]],
    [
      "what cannot be told cannot be accepted",
      [applies, unknown],
      ["A", "B"],
      ["Unknown", "EvaluationFailed", NOT_KNOWN],
    ],
  ] as const)
    test(name, () => {
      const found = new Map(["A", "B"].map((risk, index) => [risk, states[index] ?? not]));
      const { status, reason, message } = recommendedVerdict(
        [risk("A"), risk("B")],
        found,
        new Set(accepted),
      );
      assert.deepEqual([status, reason, ...(status === "True" ? [] : [message])], expected);
    });
  test("a name that is no reason is told as exposure", () =>
    assert.equal(
      recommendedVerdict([risk("A-B")], new Map([["A-B", applies]]), new Set()).reason,
      "ExposedToRisks",
    ));
  test("a text that is too long for the server is cut", () => {
    const long = { ...risk("A"), message: "x".repeat(40_000) };
    assert.equal(recommendedVerdict([long], new Map([["A", applies]]), new Set()).message.length, 32_768);
  });
});
