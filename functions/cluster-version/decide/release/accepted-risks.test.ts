import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { acceptedRisksText, conditionalUpdateTo, risksAccepted } from "./accepted-risks.ts";
import type { ClusterVersionView, ConditionalUpdate } from "./types.ts";

const updateWith = (status?: string, reason?: string): ConditionalUpdate =>
  ({
    release: { version: "1.1.0", image: "demo.example/release:1.1.0" },
    risks: ["Slow", "Loud"].map((name) => ({
      name,
      message: name,
      url: "https://example.org",
      matchingRules: [{ type: "Always" }],
    })),
    conditions: status === undefined ? [] : [{ type: "Recommended", status, reason, message: "" }],
  }) as ConditionalUpdate;
const viewWith = (...names: readonly string[]): ClusterVersionView =>
  ({
    spec: { clusterID: "", desiredUpdate: { acceptRisks: names.map((name) => ({ name })) } },
  }) as ClusterVersionView;

describe("the risks that an administrator accepted by name", () => {
  for (const [accepted, update, expected, why] of [
    [
      ["Loud", "Slow"],
      updateWith("True", "AllExposedRisksAccepted"),
      ["Loud", "Slow"],
      "the verdict rests on them",
    ],
    [["Loud"], updateWith("True", "NotExposedToRisks"), [], "nothing speaks against it anyway"],
    [["Loud"], updateWith("False", "Loud"), ["Loud"], "it is the one that speaks against it"],
    [["Loud"], updateWith("False", "Slow"), [], "another one speaks against it too"],
    [["Slow", "Loud"], updateWith("False", "MultipleReasons"), ["Loud", "Slow"], "all of them are accepted"],
    [["Loud"], updateWith("False", "MultipleReasons"), [], "one of several is not enough"],
    [["Loud", "Slow"], updateWith("Unknown", "EvaluationFailed"), [], "nobody knows yet"],
    [["Loud"], updateWith(), [], "there is no verdict"],
    [["Other"], updateWith("False", "Loud"), [], "it is not among its risks"],
    [[], updateWith("False", "Loud"), [], "nothing was accepted"],
    [["Loud"], undefined, [], "there is no such update"],
  ] as const)
    it(`are ${expected.join(" and ") || "none"} where ${why}`, () => {
      assert.deepEqual(risksAccepted(viewWith(...accepted), update), expected);
    });

  it("are told in the history, and nothing is where there are none", () => {
    assert.equal(acceptedRisksText("image", []), undefined);
    assert.match(
      acceptedRisksText("image", ["Loud", "Slow"]) ?? "",
      /release image is exposed to the risks \[Loud,Slow\]/,
    );
  });

  it("are those of the update to that version", () => {
    const update = updateWith("False", "Loud");
    const view = { ...viewWith(), status: { conditionalUpdates: [update] } } as ClusterVersionView;
    assert.equal(conditionalUpdateTo(view, "1.1.0"), update);
    assert.equal(conditionalUpdateTo(view, "1.2.0"), undefined);
    assert.equal(conditionalUpdateTo(viewWith(), "1.1.0"), undefined);
  });
});
