import assert from "node:assert/strict";
import { test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Kyma, LABELS } from "../../kinds/index.ts";
import { suspensionPass } from "./index.ts";

const kyma = (labels: Readonly<Record<string, string>>, conditions: readonly object[] = []) =>
  parseObject(Kyma, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: { name: "rt-1", namespace: "kcp-system", uid: "u", resourceVersion: "1", labels },
    spec: { channel: "regular" },
    status: { state: "Ready", conditions },
  });
const NOW = "2026-02-03T10:00:00.000Z";

test("a Kyma that is left alone says so until the label is taken off; others say nothing", () => {
  const [said] = suspensionPass(kyma({ [LABELS.skipReconciliation]: "true" }), NOW).status?.conditions ?? [];
  assert.deepEqual([said?.type, said?.status], ["Suspended", "True"]);
  assert.match(said?.message ?? "", /skip-reconciliation.*go with their releases.*Take the label off/);
  assert.deepEqual(suspensionPass(kyma({}, [said ?? {}]), NOW), { status: { conditions: [] } });
  assert.deepEqual(suspensionPass(kyma({}), NOW), {});
});
