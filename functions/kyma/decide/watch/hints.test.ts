import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { LABELS } from "../../kinds/index.ts";
import { ofRuntimeCatalog, ofRuntimeItself } from "./index.ts";

const OURS = "operator.kyma-project.io";
const hint = (group?: string, kind?: string, name = "one") => ({
  runtimeId: "rt-1",
  ...(kind !== undefined && {
    watched: { group: group ?? "", version: "v1", kind, namespace: "", name },
  }),
});
const looked = { namespace: "kcp-system", labels: { [LABELS.runtimeId]: "rt-1" } };

describe("a hint of a runtime leads to", () => {
  test.each([
    ["its Kyma", hint(OURS, "Kyma"), true, false],
    ["a release", hint(OURS, "ModuleReleaseMeta"), false, true],
    ["a template", hint(OURS, "ModuleTemplate"), false, true],
    [
      "our definition",
      hint("apiextensions.k8s.io", "CustomResourceDefinition", `kymas.${OURS}`),
      true,
      false,
    ],
    [
      "another definition",
      hint("apiextensions.k8s.io", "CustomResourceDefinition", "a.example.org"),
      false,
      false,
    ],
    ["all definitions", hint("apiextensions.k8s.io", "CustomResourceDefinition", ""), true, false],
    ["an object of a module", hint("apps", "Deployment"), false, false],
    ["a kind of the same name", hint("example.org", "Kyma"), false, false],
    ["anything", hint(), true, true],
    ["what has no kind", hint("", ""), true, true],
  ] as const)("who looks at %s", (_, told, itself, catalog) => {
    assert.deepEqual(ofRuntimeItself(told), itself ? looked : undefined);
    assert.deepEqual(ofRuntimeCatalog(told), catalog ? looked : undefined);
  });
});
