import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { capabilitiesOf, exclusionOf, type Inclusion } from "./inclusion.ts";
import type { Manifest } from "./payload.ts";

const FEATURE_SET = "release.openshift.io/feature-set";
const FEATURE_GATE = "release.openshift.io/feature-gate";
const MAJOR = "release.openshift.io/major-version";
const CAPABILITY = "capability.openshift.io/name";

function manifest(
  annotations: Readonly<Record<string, unknown>> | undefined,
  of: Partial<Manifest> = {},
): Manifest {
  const metadata = {
    name: "x",
    ...(annotations !== undefined && { annotations: annotations as Record<string, string> }),
  };
  return {
    folder: "release-manifests",
    file: "0000_10_a_x.yaml",
    document: 1,
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "demo",
    name: "x",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata },
    raw: "{}",
    ...of,
  };
}

type Row = readonly [
  annotations: Readonly<Record<string, unknown>> | undefined,
  inclusion: Inclusion,
  why: RegExp | undefined,
];

function table(title: string, rows: readonly Row[], of: Partial<Manifest> = {}): void {
  describe(title, () => {
    for (const [annotations, inclusion, why] of rows)
      test(`${JSON.stringify(annotations)} ${why === undefined ? "stays" : why}`, () => {
        const found = exclusionOf(manifest(annotations, of), inclusion);
        if (why === undefined) assert.equal(found, undefined);
        else assert.match(found ?? "", why);
      });
  });
}

table("annotations", [
  [undefined, {}, /^no annotations$/],
  [{}, {}, undefined],
  [{ other: true }, {}, /^no annotations$/],
]);

const excludeIdentifier = "edge";
table("exclude", [
  [
    { "exclude.release.openshift.io/edge": "true" },
    { excludeIdentifier },
    /^exclude\.release\.openshift\.io\/edge=true$/,
  ],
  [{ "exclude.release.openshift.io/edge": "yes" }, { excludeIdentifier }, undefined],
  [{ "exclude.release.openshift.io/other": "true" }, { excludeIdentifier }, undefined],
  [{ "exclude.release.openshift.io/undefined": "true" }, {}, undefined],
]);

const gates = { featureGates: new Set(["On"]) };
table("feature sets and gates", [
  [
    { [FEATURE_SET]: "Default", [FEATURE_GATE]: "On" },
    { featureSet: "", ...gates },
    /^both feature set and feature gate/,
  ],
  [{ [FEATURE_SET]: "Default" }, { featureSet: "" }, undefined],
  [{ [FEATURE_SET]: "Default,TechPreviewNoUpgrade" }, { featureSet: "TechPreviewNoUpgrade" }, undefined],
  [{ [FEATURE_SET]: "TechPreviewNoUpgrade" }, { featureSet: "" }, /^"Default" is required/],
  [{ [FEATURE_SET]: "Default,Future" }, { featureSet: "" }, /^unrecognized value "Future" in release/],
  [{ [FEATURE_SET]: "" }, { featureSet: "" }, /^unrecognized value ""/],
  [{ [FEATURE_SET]: "Future" }, {}, undefined],
  [{ [FEATURE_GATE]: "On" }, gates, undefined],
  [{ [FEATURE_GATE]: " On , -Off," }, gates, undefined],
  [{ [FEATURE_GATE]: "On,Off" }, gates, /^feature gate Off is required but not enabled$/],
  [{ [FEATURE_GATE]: "-On" }, gates, /^feature gate On is enabled but/],
  [{ [FEATURE_GATE]: "" }, gates, undefined],
]);

const five = { majorVersion: 5 };
const rows: readonly Row[] = [
  [{ [MAJOR]: "5" }, five, undefined],
  [{ [MAJOR]: "4, 5" }, five, undefined],
  [{ [MAJOR]: "4" }, five, /^major version 5 does not match/],
  [{ [MAJOR]: "-4" }, five, undefined],
  [{ [MAJOR]: "-5" }, five, /^major version 5 is excluded/],
  [{ [MAJOR]: "4,-4" }, five, /overlap: 4$/],
  [{ [MAJOR]: "five" }, five, /^invalid major version "five"/],
  [{ [MAJOR]: "" }, five, undefined],
];
table("major versions of a CRD", rows, { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" });
table("major versions of a FeatureGate", rows, { group: "config.openshift.io", kind: "FeatureGate" });
table("major versions of anything else", [[{ [MAJOR]: "5" }, five, /only supported for/]]);

const profile = "self-managed-high-availability";
table("profiles", [
  [{ [`include.release.openshift.io/${profile}`]: "true" }, { profile }, undefined],
  [{ [`include.release.openshift.io/${profile}`]: "True" }, { profile }, /^unrecognized value include/],
  [
    { "include.release.openshift.io/other": "true" },
    { profile },
    /^include\.release\.openshift\.io\/.* unset$/,
  ],
]);

const capabilities = { known: new Set(["a", "b"]), enabled: new Set(["a"]) };
table("capabilities", [
  [{ [CAPABILITY]: "a" }, { capabilities }, undefined],
  [{ [CAPABILITY]: "" }, { capabilities }, undefined],
  [{ [CAPABILITY]: "a+b" }, { capabilities }, /^disabled capabilities: b$/],
  [{ [CAPABILITY]: "a+c+b" }, { capabilities }, /^unrecognized capability names: c$/],
  [
    { [CAPABILITY]: "c" },
    { capabilities: { ...capabilities, allowUnknown: true } },
    /^disabled capabilities: c$/,
  ],
]);

test("a manifest's capabilities are joined by +", () => {
  assert.deepEqual(capabilitiesOf(manifest({ [CAPABILITY]: "a+b" })), ["a", "b"]);
  assert.deepEqual(capabilitiesOf(manifest({})), []);
});

describe("overrides", () => {
  const override = { group: "", kind: "ConfigMap", namespace: "demo", name: "x", unmanaged: true };
  const found = (change: Partial<typeof override>, of: Partial<Manifest> = {}) =>
    exclusionOf(manifest({}, of), { overrides: [{ ...override, ...change }] });

  test("match by group, kind, namespace and name", () => {
    assert.equal(found({}), "overridden");
    assert.equal(found({}, { version: "v2" }), "overridden");
    for (const change of [
      { group: "apps" },
      { kind: "Secret" },
      { namespace: "other" },
      { name: "y" },
      { unmanaged: false },
    ])
      assert.equal(found(change), undefined, JSON.stringify(change));
  });

  test("do not look at the namespace of what has none", () => {
    assert.equal(found({ namespace: "anything" }, { namespace: "" }), "overridden");
  });
});
