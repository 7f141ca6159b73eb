import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { ConfigMap, StatefulSet } from "../../../shared/kube/kinds/index.ts";
import { Instance } from "../index.ts";
import { apply, DATABASE, dummy, plan } from "./operators.ts";
import { SHOP, type Shop } from "./shop.ts";

const VERSION = { operatorVersion: { name: "pgmini-14.2-0.3.0" } };
const NEXT = { operatorVersion: { name: "pgmini-15.0-0.4.0" } };
const AT = { name: "db", namespace: SHOP };

const FAREWELL = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-farewell
`;
const CLEANING = {
  ...DATABASE,
  templates: { ...DATABASE.templates, "farewell.yaml": FAREWELL },
  tasks: [
    ...(DATABASE.tasks ?? []),
    apply("farewell", "farewell.yaml"),
    dummy("never", { done: false }),
    dummy("broken", { wantErr: true, fatal: true }),
  ],
  plans: { ...DATABASE.plans, cleanup: plan("farewell: farewell") },
};

/** The end of Instances. */
export const cleanup: readonly Scenario<Shop>[] = [
  {
    number: 17,
    name: "without a cleanup plan an Instance goes at once, and takes what it owns",
    async run(s) {
      const waiting = { ...CLEANING, plans: { deploy: plan("config: config", "wait: never") } };
      for (const [version, running] of [
        [DATABASE, ""],
        [waiting, "deploy"],
      ] as const) {
        await s.version(VERSION.operatorVersion.name, version);
        await s.create(VERSION);
        await s.settled();
        const { metadata, status } = await s.instance();
        assert.equal(status?.aggregatedStatus?.activePlanName, running);
        assert.deepEqual(metadata.finalizers, []);
        assert.ok((await s.find(ConfigMap, "db-config")) !== undefined);
        await s.remove(Instance, AT);
        await s.settled();
        assert.equal(await s.get(Instance, AT), undefined);
        await s.until(
          "its ConfigMap is gone",
          async () => (await s.find(ConfigMap, "db-config")) === undefined,
        );
      }
    },
  },
  {
    number: 18,
    name: "cleanup takes the place of whatever runs, and what it applied goes too",
    async run(s) {
      const plans = {
        ...CLEANING.plans,
        deploy: plan("wait: never"),
        cleanup: plan("farewell: farewell", "wait: never"),
      };
      await s.version(VERSION.operatorVersion.name, { ...CLEANING, plans });
      await s.create(VERSION);
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "IN_PROGRESS");
      await s.remove(Instance, AT);
      await s.settled();
      const { metadata, spec, status } = await s.instance();
      const { deploy, cleanup: ending } = status?.planStatus ?? {};
      assert.equal(`${deploy?.status} ${deploy?.message}`, "FATAL_ERROR superseded");
      assert.equal(ending?.status, "IN_PROGRESS");
      assert.equal(spec?.planExecution?.planName, "cleanup");
      assert.equal(status?.aggregatedStatus?.activePlanName, "cleanup");
      assert.deepEqual(metadata.finalizers, ["kudo.dev.instance.cleanup"]);
      assert.ok((await s.find(ConfigMap, "db-farewell")) !== undefined);
      const tasks = (CLEANING.tasks ?? []).map((task) => (task.name === "never" ? dummy("never") : task));
      await s.version(VERSION.operatorVersion.name, { ...CLEANING, tasks, plans });
      await s.settled();
      assert.equal(await s.get(Instance, AT), undefined);
      assert.deepEqual(await s.events("PlanFinished"), [
        "Execution of plan cleanup finished with status COMPLETE",
        "Execution of plan deploy finished with status FATAL_ERROR",
      ]);
      await s.until(
        "its farewell is gone",
        async () => (await s.find(ConfigMap, "db-farewell")) === undefined,
      );
    },
  },
  {
    number: 19,
    name: "where cleanup fails the Instance stays, until a person has it run again",
    async run(s) {
      const failing = { ...CLEANING, plans: { ...CLEANING.plans, cleanup: plan("farewell: broken") } };
      await s.version(VERSION.operatorVersion.name, failing);
      await s.create(VERSION);
      await s.settled();
      await s.remove(Instance, AT);
      await s.settled();
      const { metadata, status } = await s.instance();
      assert.deepEqual(metadata.finalizers, ["kudo.dev.instance.cleanup"]);
      assert.equal(status?.planStatus?.cleanup?.status, "FATAL_ERROR");
      assert.equal(status?.executions, 2);
      assert.deepEqual(await s.events("DummyTaskError"), [
        "Error during execution: fatal error: shop/db failed in cleanup.main.farewell.broken: dummy error",
      ]);
      await s.version(VERSION.operatorVersion.name, CLEANING);
      await s.settled();
      assert.equal((await s.instance()).status?.executions, 2);
      await s.edit({ planExecution: { planName: "cleanup", uid: "again" } });
      await s.settled();
      assert.equal(await s.get(Instance, AT), undefined);
    },
  },
  {
    number: 20,
    name: "an upgrade brings a cleanup plan, or takes it away",
    async run(s) {
      await s.version(VERSION.operatorVersion.name, DATABASE);
      await s.version(NEXT.operatorVersion.name, CLEANING);
      for (const [from, to, finalizers] of [
        [VERSION, NEXT, ["kudo.dev.instance.cleanup"]],
        [NEXT, VERSION, []],
      ] as const) {
        await s.create(from);
        await s.settled();
        await s.edit(to);
        await s.settled();
        assert.deepEqual((await s.instance()).metadata.finalizers, finalizers);
        await s.remove(Instance, AT);
        await s.settled();
        assert.equal(await s.get(Instance, AT), undefined);
        // The next one of its name waits for what this one owned.
        await s.until("what it owned is gone", async () => {
          const left = [await s.find(StatefulSet, "db"), await s.find(ConfigMap, "db-config")];
          return left.every((one) => one === undefined);
        });
        // That of the first one: the second needed none.
        assert.deepEqual(
          (await s.events("PlanStarted")).filter((words) => words.includes("cleanup")),
          ["Execution of plan cleanup started"],
        );
      }
    },
  },
];
