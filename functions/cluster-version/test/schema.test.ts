import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { parse } from "yaml";
import { crdDeviations } from "../../../infra/testing/crd-deviations.ts";
import { crdOf } from "../../../shared/kube/crd.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";

const data = process.env.CONFORMANCE_DATA;
const upstream = (file: string): { readonly spec: unknown } =>
  parse(readFileSync(join(data ?? "", "cluster-version", "crds", file), "utf8"));

const between = (kind: Kind, file: string): readonly string[] =>
  crdDeviations(crdOf(kind).spec, upstream(file).spec);

describe("our CRDs are upstream's", {
  skip: data === undefined,
}, () => {
  test("ClusterOperator: to the last word", () =>
    assert.deepEqual(between(ClusterOperator, "clusteroperators.crd.yaml"), []));

  test("ClusterVersion: but for what is behind a gate there, and names in the status that a rollback must not refuse", () =>
    assert.deepEqual(between(ClusterVersion, "clusterversions-Default.crd.yaml"), [
      ".spec.capabilities.additionalEnabledCapabilities.items.enum.17 (new)",
      ".spec.capabilities.additionalEnabledCapabilities.items.enum.18 (new)",
      ".spec.desiredUpdate.acceptRisks (new)",
      ".spec.desiredUpdate.mode (new)",
      ".spec.desiredUpdate.x-kubernetes-validations.2 (new)",
      ".spec.signatureStores (new)",
      ".status.capabilities.enabledCapabilities.items.enum (gone)",
      ".status.capabilities.knownCapabilities.items.enum (gone)",
      ".status.conditionalUpdateRisks (new)",
      // The same expression: ours escapes a slash, which needs none there.
      ".status.conditionalUpdates.items.conditions.items.type.pattern",
      ".status.conditionalUpdates.items.riskNames (new)",
      ".status.conditionalUpdates.items.risks.items.conditions (new)",
    ]));
});
