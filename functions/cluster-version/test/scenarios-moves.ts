import assert from "node:assert/strict";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import type { Component } from "./releases.ts";
import type { SiteScenarios } from "./scenario.ts";
import { allWell, installed, moveTo, settings, WELL } from "./stage.ts";

const OLD = "5.1.9";
const NEW = "5.2.0";
const DNS: Component = { name: "dns", level: "70" };

/** Moves from release to release, and what comes in between. */
export const moves: SiteScenarios = [
  {
    number: 20,
    name: "a request that is taken back leads to the old release as an entry of its own",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      await moveTo(stage, NEW, [DNS]);
      assert.equal((await settings(stage, "dns"))?.data?.version, NEW);
      await stage.ask({});
      await stage.settled();
      const back = await stage.says();
      assert.deepEqual(back.history.slice(0, 2), [`${OLD} Completed`, `${NEW} Partial`]);
      assert.equal((await settings(stage, "dns"))?.data?.version, OLD);
      const [, interrupted] = back.status?.history ?? [];
      assert.notEqual(interrupted?.completionTime, null);
      assert.equal(back.conditions.Progressing, `False Cluster version is ${OLD}`);
    },
  },
  {
    number: 32,
    name: "an operator's line that is deleted during an update is made again, filled by its operator, and the update goes on",
    async run(stage) {
      const { client } = stage.stack;
      await installed(stage, OLD, [DNS]);
      await moveTo(stage, NEW, [DNS]);
      const before = await stage.get(ClusterOperator, "dns");
      assert.ok(before);
      await client.delete(resourceOf(ClusterOperator), { name: "dns" }, { uid: before.metadata.uid });
      await stage.settled();
      const made = await stage.get(ClusterOperator, "dns");
      assert.notEqual(made?.metadata.uid, before.metadata.uid);
      assert.deepEqual(made?.status?.relatedObjects, [{ group: "", resource: "namespaces", name: "demo" }]);
      assert.equal(
        (await stage.says()).conditions.Failing,
        "True ClusterOperatorNotAvailable Cluster operator dns is not available",
      );
      await allWell(stage, NEW, ["dns"]);
      assert.equal((await stage.says()).history[0], `${NEW} Completed`);
    },
  },
  {
    number: 33,
    name: "a ClusterVersion that is made anew begins anew",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      await moveTo(stage, NEW, [DNS]);
      await stage.uninstall();
      await moveTo(stage, NEW);
      await allWell(stage, NEW, ["dns"]);
      const { history, status } = await stage.says();
      assert.deepEqual(history, [`${NEW} Completed`]);
      assert.equal(status?.observedGeneration, 1);
    },
  },
  {
    number: 34,
    name: "the same thing told three times changes nothing",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      await moveTo(stage, NEW, [DNS]);
      await stage.report("dns", { ...WELL, degraded: "True", versions: { operator: OLD } });
      await stage.settled();
      const before = await stage.get(ClusterVersion, "version");
      for (let time = 0; time < 3; time += 1) await stage.again();
      const after = await stage.get(ClusterVersion, "version");
      assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
      assert.deepEqual(after?.status, before?.status);
    },
  },
];
