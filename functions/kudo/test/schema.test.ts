import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { parse } from "yaml";
import { type CrdDeviation, crdDeviations } from "../../../infra/testing/crd-deviations.ts";
import { crdOf } from "../../../shared/kube/crd.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { Instance, Operator, OperatorVersion } from "../kinds/index.ts";
import { folder } from "./conformance.ts";

/** Fields of ours that theirs lacks do not count, nor how lists are owned. */
const narrows = ({ path, change }: CrdDeviation): boolean =>
  change !== "new" || !(path.at(-2) === "properties" || /^x-kubernetes/.test(path.at(-1) ?? ""));
const schemaOf = (crd: {
  readonly spec: { readonly versions: readonly { readonly schema: unknown }[] };
}): unknown => crd.spec.versions[0]?.schema;
const between = (kind: Kind): readonly string[] =>
  crdDeviations(
    schemaOf(crdOf(kind)),
    schemaOf(parse(readFileSync(join(folder ?? "", "crds", `kudo.dev_${kind.plural}.yaml`), "utf8"))),
    narrows,
  );

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
