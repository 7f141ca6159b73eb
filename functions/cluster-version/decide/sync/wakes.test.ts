import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { looksAtOnce } from "./wakes.ts";

type Status = NonNullable<Parameters<typeof looksAtOnce>[0]["status"]>;

const at = "2026-01-15T10:00:00Z";
const conditions = (
  failing: "True" | "False" | "Unknown",
  accepted: "True" | "False",
): Status["conditions"] => [
  { type: "Failing", status: failing, lastTransitionTime: at },
  { type: "ReleaseAccepted", status: accepted, lastTransitionTime: at },
];
const history = (state: "Completed" | "Partial"): Status["history"] => [
  {
    state,
    startedTime: "2026-01-15T10:00:00Z",
    completionTime: null,
    version: "1.0.0",
    image: "i",
    verified: false,
  },
];

describe("whether the sync looks at once where an operator says something new", () => {
  const said = { gone: false };
  const cases: readonly [string, Partial<Status> | undefined, { readonly gone: boolean }, boolean][] = [
    [
      "keeping to a release",
      { history: history("Completed"), conditions: conditions("False", "True") },
      said,
      false,
    ],
    [
      "the operator is gone",
      { history: history("Completed"), conditions: conditions("False", "True") },
      { gone: true },
      true,
    ],
    ["moving", { history: history("Partial"), conditions: conditions("False", "True") }, said, true],
    ["failing", { history: history("Completed"), conditions: conditions("True", "True") }, said, true],
    ["slow", { history: history("Completed"), conditions: conditions("Unknown", "True") }, said, true],
    [
      "another release is refused",
      { history: history("Completed"), conditions: conditions("False", "False") },
      said,
      true,
    ],
    ["nothing is told yet", undefined, said, true],
    ["nothing was ever applied", { history: [], conditions: conditions("False", "True") }, said, true],
    ["conditions are missing", { history: history("Completed") }, said, true],
  ];
  for (const [name, status, about, wanted] of cases)
    it(`${name}: ${wanted}`, () => {
      assert.equal(looksAtOnce(status === undefined ? {} : { status: status as Status }, about), wanted);
    });
});
