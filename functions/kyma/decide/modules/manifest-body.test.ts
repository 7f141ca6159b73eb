import assert from "node:assert/strict";
import { test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { CONTROL_PLANE, Kyma, LABELS, Manifest, ModuleTemplate } from "../../kinds/index.ts";
import { manifestOf } from "./manifest-body.ts";
import { withProviders } from "./providers.ts";

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

test("a Manifest that stays as it is keeps all that was said in it when others provide what it requires", () => {
  const template = parseObject(ModuleTemplate, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "ModuleTemplate",
    ...at("alpha-1.0.0"),
    spec: { descriptor: {}, provides: ["storage"], trustedHandler: "dns" },
  });
  const requiring = (...of: readonly string[]) => [{ capability: "mesh", of: [...of] }];
  const bodies = [{}, { mandatory: false, channel: "fast" }].map(
    (more) =>
      (...of: readonly string[]) =>
        bodyFor({ [LABELS.runtimeId]: "runtime-4711" }, { template, requires: requiring(...of), ...more }),
  );
  for (const body of bodies) {
    const { metadata, spec } = body("rt-1-one");
    const kyma = parseObject(Kyma, {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Kyma",
      ...at("rt-1"),
    });
    const standing = parseObject(Manifest, {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Manifest",
      metadata: { ...at("").metadata, ...metadata },
      spec,
    });
    const after = (...of: readonly string[]) =>
      withProviders(kyma, standing, {
        dependencies: { requires: () => requiring(...of) } as never,
        installedTemplate: () => undefined,
      });
    assert.deepEqual(after("rt-1-one"), []);
    const effect = after("rt-1-two");
    assert.ok("plan" in effect && effect.plan.effect === "apply");
    assert.deepEqual(
      JSON.parse(JSON.stringify(effect.plan.body)),
      JSON.parse(JSON.stringify(body("rt-1-two"))),
    );
  }
});
