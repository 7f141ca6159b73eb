import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { crdDeviations } from "../../../infra/testing/crd-deviations.ts";
import { crdOf } from "../../../shared/kube/crd.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { ClusterAddon, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";
import { folder, theirCrd } from "./conformance.ts";

interface Crd {
  readonly spec: {
    readonly names: unknown;
    readonly versions: readonly {
      readonly schema: unknown;
      readonly additionalPrinterColumns?: readonly object[];
    }[];
  };
}
const schemaOf = (crd: Crd): unknown => crd.spec.versions[0]?.schema;
/** Columns without their descriptions: `kubectl get` does not show these. */
const shownOf = (crd: Crd) => ({
  names: crd.spec.names,
  columns: crd.spec.versions[0]?.additionalPrinterColumns?.map((column) => ({
    ...column,
    description: undefined,
  })),
});
const theirs = (kind: Kind): Crd => theirCrd<Crd>(kind);
const between = (kind: Kind): readonly string[] =>
  crdDeviations(schemaOf(crdOf(kind)), schemaOf(theirs(kind))).filter(
    (place) => !/^\.(apiVersion|kind|metadata)\b/.test(place),
  );

const KEYED = [
  ".status.conditions.x-kubernetes-list-map-keys (new)",
  ".status.conditions.x-kubernetes-list-type (new)",
];

describe("our CRDs have all that upstream's have, and say more", { skip: folder === undefined }, () => {
  test("ClusterStack", () =>
    assert.deepEqual(between(ClusterStack), [
      ".spec.channel.x-kubernetes-validations (new)",
      ".spec.kubernetesVersion.x-kubernetes-validations (new)",
      ".spec.name.x-kubernetes-validations (new)",
      ".spec.provider.x-kubernetes-validations (new)",
      ".spec.source (new)",
      ...KEYED,
      ".status.listing (new)",
    ]));
  test("ClusterStackRelease", () =>
    assert.deepEqual(between(ClusterStackRelease), [
      ".spec.source (new)",
      ".status.attempts (new)",
      ...KEYED,
      ".status.digest (new)",
      ".status.nextTry (new)",
      ".status.publishedAt (new)",
      ".status.resources.items.recreate (new)",
    ]));
  test("ClusterAddon", () =>
    assert.deepEqual(between(ClusterAddon), [
      ...KEYED,
      ".status.resources.items.recreate (new)",
      ".status.resources.items.stage (new)",
      ...["message", "rendered", "startedAt", "values"].map((field) => `.status.stages.items.${field} (new)`),
      ".status.target (new)",
    ]));
  for (const kind of [ClusterStack, ClusterStackRelease, ClusterAddon])
    test(`kubectl shows a ${kind.kind} as before`, () =>
      assert.deepEqual(shownOf(crdOf(kind)), shownOf(theirs(kind))));
});
