import assert from "node:assert/strict";
import { test } from "vitest";
import { toldModule, toldText } from "./module-status.ts";
import { kymaOf, spokenThere } from "./test-objects.ts";

test("the policy of a module's default object is the one that its user wrote in the runtime", () => {
  const spec = { modules: [{ name: "alpha" }] };
  const annotations = spokenThere({ name: "alpha", customResourcePolicy: "Ignore" });
  const lineFor = (kyma: ReturnType<typeof kymaOf>) =>
    /default object: \w+/.exec(toldText(toldModule(kyma, [], "alpha")))?.[0];
  assert.equal(lineFor(kymaOf({ spec })), "default object: CreateAndDelete");
  assert.equal(lineFor(kymaOf({ spec, annotations })), "default object: Ignore");
});
