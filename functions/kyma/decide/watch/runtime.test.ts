import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Wake } from "../../../../shared/function/wakes.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { catalog } from "../../catalog.ts";
import { Kyma, LABELS, Manifest, runtimeAlive, runtimeChanged, runtimeSilent } from "../../kinds/index.ts";
import { manifests } from "../../manifests.ts";
import { runtime } from "../../runtime.ts";
import { statuses } from "../../statuses.ts";
import { watch } from "../../watch.ts";

const metadata = (name: string, kyma?: string) => ({
  ...{ name, namespace: "kcp-system", uid: name, resourceVersion: "1", generation: 1 },
  labels: { [LABELS.runtimeId]: "rt-1", ...(kyma !== undefined && { [LABELS.kymaName]: kyma }) },
});
const kyma = (name: string) =>
  parseObject(Kyma, {
    apiVersion: `${Kyma.group}/${Kyma.version}`,
    kind: Kyma.kind,
    metadata: metadata(name),
    spec: { channel: "regular" },
  });
const manifest = (name: string, of: string) =>
  parseObject(Manifest, {
    apiVersion: `${Manifest.group}/${Manifest.version}`,
    kind: Manifest.kind,
    metadata: metadata(name, of),
    spec: { remote: true, install: { name: "raw-manifest", source: {} } },
  });

describe("what a runtime tells", () => {
  const told: readonly string[] = [runtimeChanged, runtimeAlive, runtimeSilent].map(({ id }) => id);
  const solesOf = (wakes: readonly Wake<never>[]) =>
    wakes
      .filter(({ source }) => told.includes(source))
      .map(({ sole }) => sole as ((dependant: unknown) => string) | undefined);

  it("is of one Kyma, or wakes none", () => {
    for (const { wakes, name } of [catalog, runtime, statuses, watch]) {
      const soles = solesOf(wakes);
      assert.ok(soles.length > 0, name);
      for (const sole of soles)
        assert.deepEqual([sole?.(kyma("a")), sole?.(kyma("b"))], ["kcp-system/a", "kcp-system/b"], name);
    }
  });

  it("is of the modules of one Kyma, or wakes none", () => {
    const [sole] = solesOf(manifests.wakes);
    assert.deepEqual(
      [sole?.(manifest("a-one", "a")), sole?.(manifest("a-two", "a")), sole?.(manifest("b-one", "b"))],
      ["kcp-system/a", "kcp-system/a", "kcp-system/b"],
    );
  });
});
