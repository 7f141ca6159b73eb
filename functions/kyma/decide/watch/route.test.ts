import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Gateway, LABELS, Watcher } from "../../kinds/index.ts";
import { routePass } from "./route.ts";

const metadata = { name: "watcher", namespace: "kcp-system", uid: "u", resourceVersion: "1", generation: 1 };
const labels = { gateway: "default" };
const gateway = parseObject(Gateway, {
  apiVersion: `${Gateway.group}/${Gateway.version}`,
  kind: Gateway.kind,
  metadata: { ...metadata, name: "gateway", labels },
  spec: { selector: {}, servers: [{ hosts: ["events.example.org"], port: { name: "https", number: 443 } }] },
});
/** The status of a Watcher with this manager and port, and whether it gets a route. */
function decided(manager: string | undefined, port = 80, label?: string) {
  const watcher = parseObject(Watcher, {
    apiVersion: `${Watcher.group}/${Watcher.version}`,
    kind: "Watcher",
    metadata: { ...metadata, labels: label === undefined ? {} : { [LABELS.managedBy]: label } },
    spec: {
      ...(manager !== undefined && { manager }),
      resourceToWatch: { group: "operator.kyma-project.io", version: "*", resource: "kymas" },
      field: "spec",
      serviceInfo: { name: "events", namespace: "kcp-system", port },
      gateway: { selector: { matchLabels: labels } },
    },
  });
  const pass = routePass(watcher, [gateway], "2026-02-03T10:00:00Z");
  return [pass.status.state, pass.status.conditions[0]?.message, "effects" in pass] as const;
}

describe("the route of a Watcher", () => {
  test("leads from its gateways to its service", () => {
    assert.deepEqual(decided("lifecycle-manager"), ["Ready", "", true]);
    assert.deepEqual(decided("", 80, "lifecycle-manager"), ["Ready", "", true]);
  });
  test("is none without a manager that may stand in a path", () => {
    for (const manager of [undefined, ""]) assert.match(decided(manager)[1] ?? "", /names no manager/);
    for (const manager of ["My_Op", "a/b", "-a", "x".repeat(254)]) {
      const [state, message, isRouted] = decided(manager);
      assert.deepEqual([state, isRouted], ["Error", false]);
      assert.match(message ?? "", /is no name for a manager/);
    }
  });
  test("is none to a port that there is not", () => {
    for (const port of [0, 65_536, -1]) assert.match(decided("m", port)[1] ?? "", /port is -?\d+: write one/);
  });
});
