import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { parse } from "yaml";
import { isRecord } from "../../../shared/json/fields.ts";
import { crdOf } from "../../../shared/kube/crd.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { Instance, Operator, OperatorVersion } from "../kinds/index.ts";
import { folder } from "./conformance.ts";

/** The paths at which our schema takes away or narrows what theirs has. What is added does not count, nor do descriptions. */
function narrowed(ours: unknown, theirs: unknown, path: string): readonly string[] {
  if (path.endsWith(".required") && Array.isArray(ours))
    return JSON.stringify([ours].flat().sort()) === JSON.stringify([theirs].flat().sort()) ? [] : [path];
  if (!isRecord(theirs) || !isRecord(ours))
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [path];
  return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].flatMap((name) => {
    if (name === "description") return [];
    const isField = path.endsWith("properties") || path === "";
    if (!(name in theirs)) return isField || /^x-kubernetes/.test(name) ? [] : [`${path}.${name} (new)`];
    return narrowed(ours[name], theirs[name], `${path}.${name}`);
  });
}
const schemaOf = (crd: {
  readonly spec: { readonly versions: readonly { readonly schema: unknown }[] };
}): unknown => crd.spec.versions[0]?.schema;
const between = (kind: Kind): readonly string[] =>
  narrowed(
    schemaOf(crdOf(kind)),
    schemaOf(parse(readFileSync(join(folder ?? "", "crds", `kudo.dev_${kind.plural}.yaml`), "utf8"))),
    "",
  )
    .map((path) =>
      path
        .replace(".openAPIV3Schema", "")
        .replaceAll(".properties.", ".")
        .replace(/^\.properties/, ""),
    )
    .sort();

describe("our CRDs have all that KUDO's have, and are narrower only where a word is none of its own", {
  skip: folder === undefined,
}, () => {
  test("Operator", () => assert.deepEqual(between(Operator), []));
  test("OperatorVersion", () =>
    assert.deepEqual(between(OperatorVersion), [
      ".spec.parameters.items.value-type.pattern (new)",
      ".spec.plans.additionalProperties.phases.items.steps.items.tasks.nullable (new)",
      ".spec.plans.additionalProperties.phases.items.steps.nullable (new)",
      ".spec.plans.additionalProperties.phases.items.strategy.pattern (new)",
      ".spec.plans.additionalProperties.strategy.pattern (new)",
    ]));
  test("Instance", () =>
    assert.deepEqual(between(Instance), [
      ".spec.planExecution.status.pattern (new)",
      ".status.planStatus.additionalProperties.phases.items.status.pattern (new)",
      ".status.planStatus.additionalProperties.phases.items.steps.items.status.pattern (new)",
      ".status.planStatus.additionalProperties.status.pattern (new)",
    ]));
});
