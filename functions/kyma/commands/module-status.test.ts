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

test("the state of a module is what was known last where its runtime does not answer", () => {
  const reachable = (status: string) => ({
    ...{ type: "Reachable", status, reason: "WaitingForSecret", message: "there is no Secret" },
    lastTransitionTime: "2026-02-03T10:00:00Z",
  });
  const said = (kyma: Parameters<typeof kymaOf>[0]) => {
    const of = kymaOf({ spec: { modules: [{ name: "alpha" }] }, ...kyma });
    return /^known last.*/m.exec(toldText(toldModule(of, [], "alpha")))?.[0];
  };
  assert.equal(said({ status: { conditions: [reachable("True")] } }), undefined);
  assert.equal(
    said({ status: { conditions: [reachable("False")] } }),
    "known last, as its runtime does not answer. Reachable is False: there is no Secret",
  );
  const operation = "It waits for its runtime, which may hold modules and does not answer: refused.";
  const lastOperation = { operation, lastUpdateTime: "2026-02-03T10:00:00Z" };
  const modules = [{ name: "alpha", state: "Deleting" }];
  const going = { isDeleting: true, status: { modules, conditions: [reachable("True")], lastOperation } };
  assert.match(said(going) ?? "", /does not answer\. It waits for its runtime,/);
});
