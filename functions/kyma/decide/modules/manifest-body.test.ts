import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { CONTROL_PLANE, Kyma, LABELS, Manifest, ModuleTemplate } from "../../kinds/index.ts";
import { broughtTo, manifestOf } from "./manifest-body.ts";

const at = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
  metadata: {
    ...{ name, namespace: CONTROL_PLANE, uid: "u", resourceVersion: "1", labels },
    creationTimestamp: "2024-01-01T12:00:00Z",
  },
});
const bodyFor = (
  labels: Readonly<Record<string, string>>,
  more: Partial<Parameters<typeof manifestOf>[1]> = {},
) =>
  manifestOf(
    parseObject(Kyma, {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Kyma",
      ...at("rt-1", labels),
    }),
    {
      module: "alpha",
      version: "1.0.0",
      channel: undefined,
      component: {
        name: "acme.com/mods/alpha",
        version: "1.0.0",
        source: { type: "oci-ref", repo: "registry.test", name: "alpha", ref: "sha256:1" },
        localizedImages: [],
      },
      template: parseObject(ModuleTemplate, {
        apiVersion: "operator.kyma-project.io/v1beta2",
        kind: "ModuleTemplate",
        ...at("alpha-1.0.0"),
        spec: { descriptor: {} },
      }),
      customResourcePolicy: "CreateAndDelete",
      mandatory: true,
      requires: [],
      ...more,
    },
  );
const labelsFor = (labels: Readonly<Record<string, string>>) => bodyFor(labels).metadata.labels;

test("a Manifest bears the identity of its runtime, by which what that tells finds it", () => {
  const runtimeId = { [LABELS.runtimeId]: "runtime-4711" };
  const without = labelsFor({});
  assert.deepEqual(labelsFor(runtimeId), { ...without, ...runtimeId });
  assert.equal(without?.[LABELS.runtimeId], undefined);
});

test("a Manifest that each cluster gets says so, and has no channel; one that a user wants has one", () => {
  const { metadata, spec } = bodyFor({});
  assert.deepEqual(
    [metadata.labels?.[LABELS.mandatoryModule], metadata.labels?.[LABELS.channel]],
    ["true", undefined],
  );
  assert.deepEqual([spec?.version, spec?.customResourcePolicy], ["1.0.0", "CreateAndDelete"]);
  const { labels } = bodyFor({}, { mandatory: false, channel: "fast" }).metadata;
  assert.deepEqual([labels?.[LABELS.mandatoryModule], labels?.[LABELS.channel]], [undefined, "fast"]);
});

describe("a Manifest that stands with a default configuration object, and is brought to a version", () => {
  const resource = { apiVersion: "acme.test/v1", kind: "Store", metadata: { name: "default" } };
  const standing = (deletionTimestamp?: string) => {
    const { metadata } = at("rt-1-alpha");
    return parseObject(Manifest, {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Manifest",
      metadata: { ...metadata, ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
      spec: { remote: true, install: { name: "raw-manifest", source: {} }, resource },
    });
  };
  const other = { ...bodyFor({}).spec, remote: true, install: { name: "raw-manifest", source: {} } };
  const bodies = [
    ["without one", other],
    ["with one of another kind", { ...other, resource: { ...resource, kind: "Shop" } }],
  ] as const;
  for (const [title, spec] of bodies) {
    test(`${title}, keeps it while it is being deleted`, () => {
      const { spec: brought } = broughtTo(standing("2026-02-03T10:00:00Z"), { ...bodyFor({}), spec });
      assert.deepEqual(brought, { ...spec, resource });
    });
    test(`${title}, follows the version where it is not`, () => {
      for (const manifest of [standing(), undefined])
        assert.deepEqual(broughtTo(manifest, { ...bodyFor({}), spec }).spec, spec);
    });
  }
});
