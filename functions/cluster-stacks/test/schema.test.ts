import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { isRecord } from "../../../shared/json/fields.ts";
import { crdOf } from "../../../shared/kube/crd.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { ClusterAddon, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";
import { folder, theirCrd } from "./conformance.ts";

/** The paths at which two CRDs differ; descriptions do not count. */
function differences(ours: unknown, theirs: unknown, path: string): readonly string[] {
  if (path.endsWith(".required") && Array.isArray(ours))
    return JSON.stringify([ours].flat().sort()) === JSON.stringify([theirs].flat().sort()) ? [] : [path];
  if (!isRecord(theirs) || !isRecord(ours))
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [path];
  return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].flatMap((name) => {
    if (name === "description") return [];
    if (!(name in theirs)) return [`${path}.${name} (new)`];
    if (!(name in ours)) return [`${path}.${name} (gone)`];
    return differences(ours[name], theirs[name], `${path}.${name}`);
  });
}
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
  differences(schemaOf(crdOf(kind)), schemaOf(theirs(kind)), "")
    .filter((path) => !/^\.openAPIV3Schema\.properties\.(apiVersion|kind|metadata)\b/.test(path))
    .map((path) =>
      path
        .replace(".openAPIV3Schema", "")
        .replaceAll(".properties.", ".")
        .replace(/^\.properties/, ""),
    )
    .sort();

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
    ]));
  test("ClusterAddon", () =>
    assert.deepEqual(between(ClusterAddon), [
      ...KEYED,
      ".status.resources.items.stage (new)",
      ...["message", "rendered", "startedAt", "values"].map((field) => `.status.stages.items.${field} (new)`),
      ".status.target (new)",
    ]));
  for (const kind of [ClusterStack, ClusterStackRelease, ClusterAddon])
    test(`kubectl shows a ${kind.kind} as before`, () =>
      assert.deepEqual(shownOf(crdOf(kind)), shownOf(theirs(kind))));
});
