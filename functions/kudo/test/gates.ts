import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import type { OperatorVersionSpec } from "../kinds/index.ts";
import { apply, plan } from "./operators.ts";
import { SHOP, type Stage, startStage } from "./stage.ts";

const VERSION = { operatorVersion: { name: "gates-1.0" } };
const DAEMON_SET = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: main, image: example.org/agent}]
`;
const LOAD_BALANCER = `apiVersion: v1
kind: Service
metadata: {name: front}
spec:
  type: LoadBalancer
  ports: [{port: 80}]
`;
const AFTER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: after}\ndata: {}\n";

const versionWith = (gate: string): OperatorVersionSpec => ({
  operator: { name: "gates" },
  version: "1.0",
  templates: { "gate.yaml": gate, "after.yaml": AFTER },
  tasks: [apply("gate", "gate.yaml"), apply("after", "after.yaml")],
  plans: { deploy: plan("first: gate", "second: after") },
});

const GATES = [
  {
    title: "a DaemonSet whose pod does not start",
    gate: DAEMON_SET,
    object: { kind: "DaemonSet", namespace: SHOP, name: "agent" },
    outcome: "fail",
    says: /daemonset agent: 0 of 1 pods available/i,
  },
  {
    title: "a load balancer without an address",
    gate: LOAD_BALANCER,
    object: { kind: "Service", namespace: SHOP, name: "front" },
    outcome: "hang",
    says: /waits for an address of its load balancer/,
  },
] as const;

/** Steps that wait for what nodes and clouds do, on the local API or the real one. */
export function gates(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`gates of steps on the ${api} API`, { skip: skip !== false }, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await startStage({ api });
    });
    afterAll(() => stage.stop());
    afterEach(() => stage.empty());

    test.each(GATES)(
      "$title holds the next step, and lets it go once it is well",
      async ({ gate, object, outcome, says }) => {
        const { simulator } = stage.stack.api;
        assert.ok(simulator !== undefined);
        simulator.set(object, outcome);
        await stage.version(VERSION.operatorVersion.name, versionWith(gate));
        await stage.create(VERSION);
        await stage.settled();
        const held = await stage.plan("deploy");
        const [first, second] = held?.phases?.[0]?.steps ?? [];
        assert.deepEqual([held?.status, first?.status], ["IN_PROGRESS", "IN_PROGRESS"]);
        assert.match(first?.message ?? "", says);
        assert.notEqual(second?.status, "COMPLETE");
        assert.equal(await stage.find(ConfigMap, "after"), undefined);

        simulator.set(object, undefined);
        await stage.until(
          "deploy is complete",
          async () => (await stage.plan("deploy"))?.status === "COMPLETE",
        );
        await stage.settled();
        assert.ok((await stage.find(ConfigMap, "after")) !== undefined);
      },
    );
  });
}
