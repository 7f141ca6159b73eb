import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import { LABELS } from "./kinds/index.ts";
import { metrics } from "./metrics.ts";

const object = (kind: string, name: string, more: Readonly<Record<string, unknown>>, labels = {}) =>
  ({
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind,
    metadata: { name, namespace: "kcp-system", labels },
    ...more,
  }) as KubeObject;
const STORED: Readonly<Record<string, readonly KubeObject[]>> = {
  Kyma: [
    object(
      "Kyma",
      "rt-1",
      { status: { state: "Warning", modules: [{ name: "alpha", state: "Warning" }] } },
      { "kyma-project.io/shoot-name": "s-1", "kyma-project.io/instance-id": "i-1" },
    ),
    object("Kyma", "rt-2", {}),
  ],
  ModuleReleaseMeta: [
    object("ModuleReleaseMeta", "audit", { spec: { mandatory: { version: "1.0.0" } } }),
    object("ModuleReleaseMeta", "alpha", { spec: { channels: [] } }),
  ],
  Manifest: [
    object(
      "Manifest",
      "rt-1-audit",
      { status: { state: "Ready" } },
      { [LABELS.moduleName]: "audit", [LABELS.kymaName]: "rt-1", [LABELS.mandatoryModule]: "true" },
    ),
  ],
};

/** The lines of one scrape of a server that tells of these kinds, an object a page. */
async function scrape(...told: readonly string[]): Promise<readonly string[]> {
  const list: KubeClient["list"] = async ({ kind }, options = {}) => {
    if (!told.includes(kind)) throw new Error("forbidden");
    const items = STORED[kind] ?? [];
    const at = Number(options.continue ?? "0");
    const next = at + 1 < items.length ? { continue: String(at + 1) } : {};
    return { items: items.slice(at, at + 1), metadata: { resourceVersion: "1", ...next } };
  };
  const samples = await metrics.open({ list, get: async () => undefined }, silent)();
  return Object.entries(samples).flatMap(([name, lines]) =>
    lines.map(
      ({ labels, value }) =>
        `${name.replace("lifecycle_mgr_", "")} ${Object.entries(labels)
          .map(([label, word]) => `${label}=${word}`)
          .sort()
          .join()} ${value}`,
    ),
  );
}

test("Kymas, their modules and those that each cluster gets are told under upstream's names", async () => {
  assert.deepEqual(await scrape("Kyma", "ModuleReleaseMeta", "Manifest"), [
    "kyma_state instance_id=i-1,kyma_name=rt-1,shoot=s-1,state=Warning 1",
    "kyma_state instance_id=,kyma_name=rt-2,shoot=,state= 1",
    "module_state instance_id=i-1,kyma_name=rt-1,module_name=alpha,shoot=s-1,state=Warning 1",
    "mandatory_modules  1",
    "mandatory_module_state kyma_name=rt-1,module_name=audit,state=Ready 1",
  ]);
});

test("what a worker may not read is left out, and the rest is told", async () => {
  assert.deepEqual(await scrape("ModuleReleaseMeta"), ["mandatory_modules  1"]);
});
