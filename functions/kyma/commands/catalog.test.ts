import assert from "node:assert/strict";
import { test } from "vitest";
import { parseObject } from "../../../shared/kube/read.ts";
import { copiedMetadata } from "../decide/runtime/kyma-copy.ts";
import { LABELS, ModuleReleaseMeta, ModuleTemplate } from "../kinds/index.ts";
import { listedReleases } from "./catalog.ts";
import { kymaOf } from "./test-objects.ts";

const metadataOf = (name: string, labels = {}) => ({
  ...{ name, namespace: "kyma-system", uid: name, resourceVersion: "1", labels },
});
const apiVersion = `${ModuleTemplate.group}/${ModuleTemplate.version}`;
const catalog = {
  releases: [
    parseObject(ModuleReleaseMeta, {
      ...{ apiVersion, kind: "ModuleReleaseMeta", metadata: metadataOf("alpha") },
      spec: {
        moduleName: "alpha",
        ocmComponentName: "acme.com/mods/alpha",
        channels: [
          { channel: "regular", version: "1.0.0" },
          { channel: "fast", version: "1.1.0" },
        ],
        kymaSelector: { matchLabels: { team: "a" } },
      },
    }),
  ],
  templates: [
    parseObject(ModuleTemplate, {
      ...{
        apiVersion,
        kind: "ModuleTemplate",
        metadata: metadataOf("alpha-1.0.0", { [LABELS.beta]: "true" }),
      },
      spec: { moduleName: "alpha", version: "1.0.0", descriptor: {} },
    }),
  ],
};

test("a Kyma in its runtime may have all that the catalog there has, whatever labels it bears", () => {
  const home = kymaOf({ labels: { [LABELS.beta]: "true", team: "a" } });
  const there = kymaOf({ labels: copiedMetadata(home).labels });
  const lacks = (restricted: readonly string[], kyma = there) =>
    listedReleases(catalog, restricted, kyma).map((one) => one.lacks);
  const missing = "there is no ModuleTemplate alpha-1.1.0";
  assert.deepEqual(lacks(["alpha"], home), [undefined, missing], "as it is at home");
  assert.deepEqual(lacks([]), [undefined, missing], "without the setting, as a user has none");
  assert.deepEqual(lacks(["alpha"]), [undefined, missing]);
});
