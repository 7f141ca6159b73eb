import assert from "node:assert/strict";
import type { Component } from "./releases.ts";
import type { BenchScenarios, SiteScenarios } from "./scenario.ts";
import type { Site } from "./site.ts";
import { allWell, installed, moveTo, pass, settings, WELL } from "./stage.ts";

const OLD = "5.1.9";
const NEW = "5.2.0";
const DNS: Component = { name: "dns", level: "70" };
const one = async (stage: Site, name: string): Promise<string> => {
  await installed(stage, OLD, [{ name, level: "70" }]);
  await moveTo(stage, NEW, [{ name, level: "70" }]);
  return name;
};
const towards = (done: number, total: number): string =>
  `Working towards ${NEW}: ${done} of ${total} done (${Math.trunc((100 * done) / total)}% complete)`;

/** Gates: what operators hold up. */
export const gates: SiteScenarios = [
  {
    number: 9,
    name: "an installation starts everything at once, whatever fails elsewhere",
    async run(stage) {
      stage.release(OLD, [
        { name: "a", level: "10" },
        { name: "b", level: "20" },
        { name: "c", level: "30", operands: false },
      ]);
      await moveTo(stage, OLD);
      for (const name of ["a", "b", "c"]) assert.equal((await settings(stage, name))?.data?.version, OLD);
      const { conditions } = await stage.says();
      assert.equal(
        conditions.Failing,
        "True ClusterOperatorsNotAvailable Cluster operators a, b are not available",
      );
      await stage.report("a", { ...WELL, versions: { operator: OLD } });
      await stage.settled();
      assert.equal(
        (await stage.says()).conditions.Failing,
        "True ClusterOperatorNotAvailable Cluster operator b is not available",
      );
    },
  },
  {
    number: 15,
    name: "an installation ends although an operator is degraded and at an old version; that is told once it has ended",
    async run(stage) {
      stage.release(OLD, [DNS]);
      await moveTo(stage, OLD);
      await stage.report("dns", { ...WELL, degraded: "True", versions: { operator: "5.0.0" } });
      await stage.settled();
      const { conditions, history } = await stage.says();
      assert.deepEqual(history, [`${OLD} Completed`]);
      assert.equal(conditions.Available, `True Done applying ${OLD}`);
      assert.equal(conditions.Failing, "True ClusterOperatorDegraded Cluster operator dns is degraded");
      assert.equal(
        conditions.Progressing,
        `False ClusterOperatorDegraded Error while reconciling ${OLD}: the cluster operator dns is degraded`,
      );
    },
  },
  {
    number: 17,
    name: "an operator that still progresses opens its gate",
    async run(stage) {
      await one(stage, "dns");
      await stage.report("dns", { ...WELL, progressing: "True", versions: { operator: NEW } });
      await stage.settled();
      assert.deepEqual((await stage.says()).history[0], `${NEW} Completed`);
    },
  },
  {
    number: 18,
    name: "every version that the manifest names is waited for, and no other",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      await moveTo(stage, NEW, [{ ...DNS, operands: { "operand-1": "1.2" } }]);
      await stage.report("dns", { ...WELL, versions: { operator: NEW, "operand-1": "1.1" } });
      await stage.settled();
      assert.match((await stage.says()).conditions.Progressing ?? "", /waiting on dns$/);
      await stage.report("dns", {
        ...WELL,
        versions: { operator: NEW, "operand-1": "1.2", "operand-2": "7" },
      });
      await stage.settled();
      assert.deepEqual((await stage.says()).history[0], `${NEW} Completed`);
    },
  },
  {
    number: 19,
    name: "of several operators Failing names the one that is not available",
    async run(stage) {
      const four = ["a", "b", "c", "z"].map((name): Component => ({ name, level: "50" }));
      await installed(stage, OLD, four);
      await moveTo(stage, NEW, four);
      await stage.report("z", { ...WELL, available: "False", versions: { operator: OLD } });
      await stage.settled();
      const { conditions } = await stage.says();
      assert.equal(
        conditions.Failing,
        "True ClusterOperatorNotAvailable Cluster operator z is not available",
      );
      assert.equal(
        conditions.Progressing,
        `True MultipleErrors Unable to apply ${NEW}: the cluster operator z is not available, waiting on a, b, c`,
      );
    },
  },
];

/** For how long they do. */
export const waits: BenchScenarios = [
  {
    number: 8,
    name: "an update goes level by level, and an error stops only what comes after it",
    async run(stage) {
      const broken: Component = {
        name: "a",
        level: "20",
        operands: false,
        files: {
          "20_broken":
            '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NO_NAME","namespace":"demo","annotations":{"include.release.openshift.io/self-managed-high-availability":"true"}}}',
        },
      };
      const first: Component = { name: "base", level: "10" };
      const b: Component = { name: "b", level: "20" };
      const last: Component = { name: "c", level: "30", operands: false };
      await installed(stage, OLD, [first, { ...broken, files: {} }, b, last]);
      await moveTo(stage, NEW, [first, broken, b, last]);
      const at = async (name: string): Promise<string | undefined> =>
        (await settings(stage, name))?.data?.version;
      assert.deepEqual([await at("base"), await at("a"), await at("b"), await at("c")], [NEW, OLD, OLD, OLD]);
      assert.equal(
        (await stage.says()).conditions.Progressing,
        `True ClusterOperatorUpdating ${towards(2, 8)}, waiting on base`,
      );
      await allWell(stage, NEW, ["base"]);
      assert.deepEqual([await at("a"), await at("b"), await at("c")], [NEW, NEW, OLD]);
      await allWell(stage, NEW, ["b"]);
      for (let minute = 0; minute < 3; minute += 1) await pass(stage, 1);
      const { conditions } = await stage.says();
      assert.equal(
        conditions.Failing,
        'True UpdatePayloadResourceInvalid Could not update configmap "demo/NO_NAME" (5 of 8): the object is invalid, possibly due to local cluster configuration',
      );
      assert.equal(
        conditions.Progressing,
        `True UpdatePayloadResourceInvalid Unable to apply ${NEW}: some cluster configuration is invalid`,
      );
      assert.equal(await at("c"), OLD);
    },
  },
  {
    number: 12,
    name: "an operator on its way is waited for, and slow after 30 minutes",
    async run(stage) {
      await one(stage, "dns");
      const before = await stage.says();
      assert.equal(before.conditions.Failing, "False");
      assert.equal(
        before.conditions.Progressing,
        `True ClusterOperatorUpdating ${towards(2, 3)}, waiting on dns`,
      );
      await pass(stage, 29);
      assert.equal((await stage.says()).conditions.Failing, "False");
      await pass(stage, 2);
      const slow = "waiting on dns over 30 minutes which is longer than expected";
      const { conditions } = await stage.says();
      assert.equal(conditions.Failing, `Unknown SlowClusterOperator ${slow}`);
      assert.equal(conditions.Progressing, `True ClusterOperatorUpdating ${towards(2, 3)}, ${slow}`);
      await allWell(stage, NEW, ["dns"]);
      assert.equal((await stage.says()).conditions.Progressing, `False Cluster version is ${NEW}`);
    },
  },
  {
    number: 13,
    name: "machine-config has 90 minutes",
    async run(stage) {
      await one(stage, "machine-config");
      await pass(stage, 31);
      assert.equal((await stage.says()).conditions.Failing, "False");
      await pass(stage, 60);
      assert.equal(
        (await stage.says()).conditions.Failing,
        "Unknown SlowClusterOperator waiting on machine-config over 90 minutes which is longer than expected",
      );
    },
  },
  {
    number: 14,
    name: "a degraded operator is waited for for 40 minutes",
    async run(stage) {
      await one(stage, "dns");
      await stage.report("dns", { ...WELL, degraded: "True", versions: { operator: OLD } });
      await stage.settled();
      const waits = `True ClusterOperatorDegraded ${towards(2, 3)}, waiting up to 40 minutes on dns`;
      assert.equal((await stage.says()).conditions.Progressing, waits);
      await pass(stage, 39);
      const { conditions } = await stage.says();
      assert.equal(conditions.Failing, "False");
      assert.equal(conditions.Progressing, waits);
      await pass(stage, 2);
      const late = await stage.says();
      assert.equal(late.conditions.Failing, "True ClusterOperatorDegraded Cluster operator dns is degraded");
      assert.equal(
        late.conditions.Progressing,
        `True ClusterOperatorDegraded Unable to apply ${NEW}: wait has exceeded 40 minutes for these operators: dns`,
      );
    },
  },
  {
    number: 16,
    name: "an installation never ends while an operator is not available",
    async run(stage) {
      stage.release(OLD, [DNS]);
      await moveTo(stage, OLD);
      await pass(stage, 120);
      const { conditions, history } = await stage.says();
      assert.deepEqual(history, [`${OLD} Partial`]);
      assert.equal(conditions.Available, "False");
      assert.equal(
        conditions.Failing,
        "True ClusterOperatorNotAvailable Cluster operator dns is not available",
      );
      assert.equal(
        conditions.Progressing,
        `True ClusterOperatorNotAvailable Unable to apply ${OLD}: the cluster operator dns is not available`,
      );
    },
  },
];
