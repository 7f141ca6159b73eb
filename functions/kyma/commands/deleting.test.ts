import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { listedModules } from "./modules.ts";
import { listedRuntimes } from "./runtimes.ts";
import { kymaOf, says, spokenThere } from "./test-objects.ts";

const reachable = {
  conditions: [
    {
      type: "Reachable",
      status: "True",
      reason: "Ready",
      message: "",
      lastTransitionTime: "2026-01-05T10:00:00Z",
    },
  ],
};
const answers = (operation: string | undefined, isDeleting = true) =>
  listedRuntimes([
    kymaOf({ isDeleting, status: { ...reachable, ...(operation !== undefined && says(operation)) } }),
  ])[0]?.reachable;

describe("a Kyma that is being deleted", () => {
  test("has a runtime that answers no more where its deletion says so, whatever a condition said before", () => {
    assert.equal(answers("It waits for its runtime, which may hold modules and does not answer."), false);
    assert.equal(answers("It waits for its modules to go."), undefined);
    assert.equal(answers(undefined), undefined);
    assert.equal(answers(undefined, false), true);
  });
  test("keeps its channel", () => {
    assert.equal(listedModules(kymaOf({ isDeleting: true }), []).channel, "regular");
  });
  test("wants no module any more", () => {
    const status = { modules: [{ name: "alpha", state: "Deleting" }] };
    const annotations = spokenThere({ name: "alpha" }, { name: "beta" });
    const listed = (isDeleting: boolean) =>
      listedModules(kymaOf({ isDeleting, annotations, status }), []).modules.map(
        ({ module, wanted }) => `${module} ${wanted}`,
      );
    assert.deepEqual(listed(true), ["alpha false"]);
    assert.deepEqual(listed(false), ["alpha true", "beta true"]);
  });
});
