import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { parse } from "yaml";
import { crdOf } from "../../../shared/kube/crd.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";

const data = process.env.CONFORMANCE_DATA;
const upstream = (file: string): { readonly spec: unknown } =>
  parse(readFileSync(join(data ?? "", "cluster-version", "crds", file), "utf8"));

/** Where two values differ, as paths. Descriptions are for people, the order of what is required means nothing. */
function differences(one: unknown, other: unknown, path: string): readonly string[] {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return Object.is(one, other) ? [] : [path];
  if (path.endsWith(".required") && Array.isArray(one) && Array.isArray(other))
    return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted()) ? [] : [path];
  const [left, right] = [one, other] as readonly Readonly<Record<string, unknown>>[];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => {
    const [a, b] = [left?.[name], right?.[name]];
    const text = name === "description" && [a, b].every((it) => it === undefined || typeof it === "string");
    return text ? [] : differences(a, b, `${path}.${name}`);
  });
}
const between = (kind: Kind, file: string): readonly string[] =>
  differences(crdOf(kind).spec, upstream(file).spec, "")
    .map((path) => path.replace(".versions.0.schema.openAPIV3Schema", "").replaceAll(".properties.", "."))
    .sort();

describe("our CRDs are upstream's", {
  skip: data === undefined,
}, () => {
  test("ClusterOperator: to the last word", () =>
    assert.deepEqual(between(ClusterOperator, "clusteroperators.crd.yaml"), []));

  test("ClusterVersion: but for what is behind a gate there, and names in the status that a rollback must not refuse", () =>
    assert.deepEqual(between(ClusterVersion, "clusterversions-Default.crd.yaml"), [
      ".spec.capabilities.additionalEnabledCapabilities.items.enum.17",
      ".spec.capabilities.additionalEnabledCapabilities.items.enum.18",
      ".spec.desiredUpdate.acceptRisks",
      ".spec.desiredUpdate.mode",
      ".spec.desiredUpdate.x-kubernetes-validations.2",
      ".spec.signatureStores",
      ".status.capabilities.enabledCapabilities.items.enum",
      ".status.capabilities.knownCapabilities.items.enum",
      ".status.conditionalUpdateRisks",
      // The same expression: ours escapes a slash, which needs none there.
      ".status.conditionalUpdates.items.conditions.items.type.pattern",
      ".status.conditionalUpdates.items.riskNames",
      ".status.conditionalUpdates.items.risks.items.conditions",
    ]));
});
