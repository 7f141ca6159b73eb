import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type OperatorStatus, report } from "../status/index.ts";
import { DEGRADED, NOT_UPGRADEABLE, OPERATOR, type PlayedDeployment, reportOf } from "./report.ts";

const NOW = "2026-02-03T09:00:00Z";

function deployment(
  version: string,
  counts: { readonly updated: number; readonly available: number; readonly all: number },
  annotations: Readonly<Record<string, string>> = {},
): PlayedDeployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "etcd-operator",
      namespace: "demo-etcd",
      generation: 2,
      annotations: { [OPERATOR]: "etcd", ...annotations },
    },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "etcd" } },
      template: {
        spec: {
          containers: [
            {
              name: "operator",
              image: "example/etcd",
              env: [
                { name: "RELEASE_VERSION", value: version },
                { name: "OPERAND_VERSION", value: "3.5.1" },
              ],
            },
          ],
        },
      },
    },
    status: {
      observedGeneration: 2,
      replicas: counts.all,
      updatedReplicas: counts.updated,
      availableReplicas: counts.available,
    },
  };
}
const after = (one: PlayedDeployment, stored?: OperatorStatus): OperatorStatus =>
  report(stored, reportOf(one, stored), NOW);
const words = ({ conditions = [] }: OperatorStatus): Readonly<Record<string, string>> =>
  Object.fromEntries(conditions.map(({ type, status }) => [type, status]));
const rolledOut = { updated: 2, available: 2, all: 2 };

describe("reportOf", () => {
  it("becomes available, with its version, only after the first roll-out", () => {
    const begun = after(deployment("1.0.0", { updated: 1, available: 1, all: 1 }));
    assert.deepEqual(words(begun), { Available: "False", Progressing: "True", Degraded: "False" });
    assert.equal(begun.versions, undefined);
    const done = after(deployment("1.0.0", rolledOut), begun);
    assert.deepEqual(words(done), { Available: "True", Progressing: "False", Degraded: "False" });
    assert.deepEqual(done.versions, [
      { name: "operator", version: "1.0.0" },
      { name: "etcd", version: "3.5.1" },
    ]);
  });

  it("stays available at the old version while it moves, and flips all at once", () => {
    const before = after(deployment("1.0.0", rolledOut));
    const moving = after(deployment("1.1.0", { updated: 1, available: 2, all: 3 }), before);
    assert.deepEqual(words(moving), { Available: "True", Progressing: "True", Degraded: "False" });
    assert.equal(moving.versions?.[0]?.version, "1.0.0");
    const surplus = after(deployment("1.1.0", { updated: 2, available: 3, all: 3 }), moving);
    assert.equal(surplus.versions?.[0]?.version, "1.0.0", "an old replica still runs");
    const done = after(deployment("1.1.0", rolledOut), surplus);
    assert.equal(done.versions?.[0]?.version, "1.1.0");
    assert.equal(words(done).Progressing, "False");
  });

  it("is degraded and not upgradeable where it is told so, and no longer when it is not", () => {
    const told = { [DEGRADED]: "Half of it is slow", [NOT_UPGRADEABLE]: "Remove the old API" };
    const bad = after(deployment("1.0.0", rolledOut, told));
    assert.deepEqual(words(bad), {
      Available: "True",
      Progressing: "False",
      Degraded: "True",
      Upgradeable: "False",
    });
    const good = after(deployment("1.0.0", rolledOut), bad);
    assert.deepEqual(words(good), { Available: "True", Progressing: "False", Degraded: "False" });
  });

  it("is degraded where its environment calls it so, and no longer with the next release", () => {
    const good = deployment("1.0.0", rolledOut);
    const bad = structuredClone(good);
    const [container] = bad.spec.template.spec?.containers ?? [];
    container?.env?.push({ name: "DEGRADED", value: "Half of it is slow" });
    const told = after(bad);
    assert.equal(words(told).Degraded, "True");
    assert.equal(words(after(good, told)).Degraded, "False");
  });

  it("says the same of the same world", () => {
    const first = after(deployment("1.0.0", rolledOut));
    assert.equal(after(deployment("1.0.0", rolledOut), first), first);
  });
});
