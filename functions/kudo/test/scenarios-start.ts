import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { ConfigMap, StatefulSet } from "../../../shared/kube/kinds/index.ts";
import { Instance, OperatorVersion } from "../index.ts";
import { DATABASE, dummy, plan } from "./operators.ts";
import { SHOP, type Shop } from "./shop.ts";

/** The version of the database that is deployed first. */
export const VERSION = { operatorVersion: { name: "pgmini-14.2-0.3.0" } };
/** The version that it moves to. */
export const UPGRADE = { operatorVersion: { name: "pgmini-15.0-0.4.0" } };

/** An Instance of the database, deployed. */
export async function deployed(s: Shop): Promise<void> {
  await s.version(VERSION.operatorVersion.name, DATABASE);
  await s.create(VERSION);
  await s.settled();
  assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
}
/** The data of its ConfigMap. */
export const dataOf = async (s: Shop) => (await s.find(ConfigMap, "db-config"))?.data;

/** Starting plans: creation, changes, other versions, requests. */
export const start: readonly Scenario<Shop>[] = [
  {
    number: 1,
    name: "a new Instance runs deploy, step by step, and is ready",
    async run(s) {
      await deployed(s);
      const { spec, status, metadata } = await s.instance();
      assert.equal(spec?.planExecution, undefined);
      assert.deepEqual(status?.aggregatedStatus, {
        status: "COMPLETE",
        activePlanName: "",
        activePlanUID: "",
      });
      assert.equal(status?.executions, 1);
      assert.equal(status?.observedGeneration, metadata.generation);
      assert.deepEqual(
        status?.conditions?.map(({ type, status: said }) => `${type} ${said}`),
        ["Ready True"],
      );
      assert.deepEqual(await s.events("PlanStarted"), ["Execution of plan deploy started"]);
      assert.deepEqual(await s.events("PlanFinished"), [
        "Execution of plan deploy finished with status COMPLETE",
      ]);
      assert.deepEqual(await dataOf(s), { plan: "deploy", size: "1", color: "red" });
      const nodes = await s.find(StatefulSet, "db");
      assert.equal(nodes?.metadata.labels?.["kudo.dev/instance"], "db");
      assert.equal(nodes?.metadata.ownerReferences?.[0]?.uid, metadata.uid);
    },
  },
  {
    number: 2,
    name: "an Instance without its version waits for it, and is told to",
    async run(s) {
      await s.create(VERSION);
      await s.settled();
      assert.equal((await s.instance()).status, undefined);
      assert.equal((await s.events("InvalidOperatorVersion")).length, 1);
      await s.version(VERSION.operatorVersion.name, DATABASE);
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
      // Deleted later, it is missed once something is asked for; what was done is kept.
      const { status } = await s.instance();
      await s.remove(OperatorVersion, { ...VERSION.operatorVersion, namespace: SHOP });
      await s.settled();
      await s.edit({ parameters: { SIZE: "2" } });
      await s.settled();
      assert.deepEqual((await s.instance()).status, status);
      await s.version(VERSION.operatorVersion.name, DATABASE);
      await s.settled();
      assert.equal((await s.plan("scale"))?.status, "COMPLETE");
      assert.equal((await s.instance()).status?.executions, 2);
    },
  },
  {
    number: 3,
    name: "a parameter with a trigger runs that plan alone",
    async run(s) {
      await deployed(s);
      const uid = (await s.plan("deploy"))?.uid;
      await s.edit({ parameters: { SIZE: "3" } });
      await s.settled();
      assert.equal((await s.plan("scale"))?.status, "COMPLETE");
      assert.equal((await s.plan("deploy"))?.uid, uid);
      assert.deepEqual(await dataOf(s), { plan: "scale", size: "3", color: "red" });
      const spec: unknown = (await s.find(StatefulSet, "db"))?.spec;
      assert.equal(JSON.stringify(spec).includes('"replicas":3'), true);
    },
  },
  {
    number: 4,
    name: "a parameter without a trigger runs update, or deploy where there is no update",
    async run(s) {
      await deployed(s);
      const uid = (await s.plan("deploy"))?.uid;
      await s.edit({ parameters: { COLOR: "blue" } });
      await s.settled();
      assert.notEqual((await s.plan("deploy"))?.uid, uid);
      assert.deepEqual(await dataOf(s), { plan: "deploy", size: "1", color: "blue" });
      const plans = { ...DATABASE.plans, update: plan("config: config") };
      await s.version(VERSION.operatorVersion.name, { ...DATABASE, plans });
      await s.edit({ parameters: { COLOR: "green" } });
      await s.settled();
      assert.equal((await s.plan("update"))?.status, "COMPLETE");
      assert.deepEqual(await dataOf(s), { plan: "update", size: "1", color: "green" });
    },
  },
  {
    number: 5,
    name: "another version runs upgrade, and its steps appear in order",
    async run(s) {
      await deployed(s);
      const plans = {
        ...DATABASE.plans,
        deploy: plan("config: config", "extra: copy", "nodes: nodes"),
        upgrade: plan("config: config", "nodes: nodes"),
      };
      await s.version(UPGRADE.operatorVersion.name, {
        ...DATABASE,
        version: "0.4.0",
        appVersion: "15.0",
        plans,
      });
      await s.edit(UPGRADE);
      await s.settled();
      assert.equal((await s.plan("upgrade"))?.status, "COMPLETE");
      const steps = (await s.plan("deploy"))?.phases?.[0]?.steps;
      assert.deepEqual(
        steps?.map(({ name, status }) => `${name} ${status}`),
        ["config COMPLETE", "extra NEVER_RUN", "nodes COMPLETE"],
      );
      assert.equal(
        (await s.instance()).status?.lastSucceeded?.operatorVersion.name,
        UPGRADE.operatorVersion.name,
      );
    },
  },
  {
    number: 9,
    name: "two triggers at once start nothing, until one is taken back",
    async run(s) {
      await deployed(s);
      await s.edit({ parameters: { SIZE: "2", KEEP: "9" } });
      await s.settled();
      const said = (await s.instance()).status?.conditions?.find(({ type }) => type === "PlanScheduled");
      assert.equal(`${said?.status} ${said?.reason}`, "False ConflictingTriggers");
      assert.equal((await s.plan("scale"))?.status, "NEVER_RUN");
      await s.edit({ parameters: { SIZE: "1" } });
      await s.settled();
      assert.equal((await s.plan("backup"))?.status, "COMPLETE");
      assert.equal((await s.plan("scale"))?.status, "NEVER_RUN");
      assert.deepEqual(
        (await s.instance()).status?.conditions?.map(({ type }) => type),
        ["Ready"],
      );
    },
  },
  {
    number: 12,
    name: "a change while a plan runs is consumed by the next one, and mixes nothing",
    async run(s) {
      const tasks = [...(DATABASE.tasks ?? []), dummy("wait", { done: false })];
      const plans = { ...DATABASE.plans, deploy: plan("config: config", "wait: wait", "late: config") };
      await s.version(VERSION.operatorVersion.name, { ...DATABASE, tasks, plans });
      await s.create(VERSION);
      await s.settled();
      await s.edit({ parameters: { SIZE: "2" } });
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "IN_PROGRESS");
      const done = [...(DATABASE.tasks ?? []), dummy("wait")];
      await s.version(VERSION.operatorVersion.name, { ...DATABASE, tasks: done, plans });
      await s.settled();
      const { status } = await s.instance();
      assert.equal(status?.planStatus?.deploy?.status, "COMPLETE");
      assert.equal(status?.planStatus?.scale?.status, "COMPLETE");
      assert.equal(status?.executions, 2);
      assert.deepEqual(await dataOf(s), { plan: "scale", size: "2", color: "red" });
    },
  },
  {
    number: 14,
    name: "a plan runs by name, and again; one that is unknown does not",
    async run(s) {
      await deployed(s);
      const parametersAndReady = async () => {
        const { spec, status } = await s.instance();
        return [spec?.parameters, status?.conditions?.filter(({ type }) => type === "Ready")];
      };
      const before = await parametersAndReady();
      await s.edit({ planExecution: { planName: "backup", uid: "one" } });
      await s.settled();
      assert.equal((await s.plan("backup"))?.uid, "one");
      assert.equal((await s.plan("backup"))?.status, "COMPLETE");
      assert.deepEqual(await parametersAndReady(), before);
      await s.edit({ planExecution: { planName: "backup", uid: "two" } });
      await s.settled();
      assert.equal((await s.plan("backup"))?.uid, "two");
      assert.equal((await s.instance()).status?.executions, 3);
      for (const [planName, reason] of [
        ["nope", "PlanNotFound"],
        ["cleanup", "CleanupNotAllowed"],
      ] as const) {
        await s.edit({ planExecution: { planName, uid: planName } });
        await s.settled();
        const { spec, status } = await s.instance();
        assert.equal(spec?.planExecution, undefined);
        assert.equal(status?.conditions?.find(({ type }) => type === "PlanScheduled")?.reason, reason);
        assert.equal(status?.executions, 3);
      }
    },
  },
  {
    number: 14,
    name: "a plan that is asked for beside a change that lets it not begin gives way, and is told of",
    async run(s) {
      await deployed(s);
      const plans = { ...DATABASE.plans, check: plan("config: config"), upgrade: plan("config: config") };
      await s.version(UPGRADE.operatorVersion.name, {
        ...DATABASE,
        version: "0.4.0",
        appVersion: "15.0",
        plans,
      });
      await s.edit({ ...UPGRADE, planExecution: { planName: "check", uid: "mine" } });
      await s.settled();
      const { spec, status } = await s.instance();
      assert.equal(spec?.planExecution, undefined);
      assert.equal(status?.lastStarted?.planName, "upgrade");
      assert.equal(status?.executions, 2);
      assert.deepEqual(await s.events("PlanNotBegun"), [
        "plan check was asked for with uid mine, and is not begun: plan upgrade comes first, ask again once it has ended",
      ]);
      await s.edit({ planExecution: { planName: "check", uid: "again" } });
      await s.settled();
      assert.equal((await s.plan("check"))?.status, "COMPLETE");
    },
  },
  {
    number: 16,
    name: "metadata and status alone start nothing",
    async run(s) {
      await deployed(s);
      const before = (await s.instance()).status;
      const snapshot = "kudo.dev/last-applied-instance-state";
      const annotations = { a: "b", [snapshot]: JSON.stringify({ operatorVersion: { name: "none" } }) };
      await s.put(
        Instance,
        { name: "db", namespace: SHOP, labels: { mine: "yes" }, annotations },
        { spec: VERSION },
      );
      await s.settled();
      assert.deepEqual((await s.instance()).status, before);
      await s.patch(Instance, "db", { metadata: { annotations: null } });
      await s.patch(ConfigMap, "db-config", { metadata: { annotations: null } });
      await s.settled();
      const { status, metadata } = await s.instance();
      assert.deepEqual([metadata.annotations, status], [{}, before]);
      // An administrator writes what only the functions write.
      const entry = before?.planStatus?.deploy;
      await s.handled({ deploy: { ...entry, message: "seen" } });
      await s.settled();
      const after = (await s.instance()).status;
      assert.deepEqual([after?.executions, after?.lastStarted], [1, before?.lastStarted]);
      assert.deepEqual(await s.events("PlanStarted"), ["Execution of plan deploy started"]);
    },
  },
  {
    number: 34,
    name: "an upgrade with another default changes nothing that is immutable, also where nobody asked before",
    async run(s) {
      const disk = (value: string) => [
        ...(DATABASE.parameters ?? []),
        { name: "DISK", default: value, immutable: true },
      ];
      await s.version(VERSION.operatorVersion.name, { ...DATABASE, parameters: disk("5Gi") });
      await s.version(UPGRADE.operatorVersion.name, {
        ...{ ...DATABASE, version: "0.4.0", appVersion: "15.0" },
        parameters: disk("9Gi"),
      });
      await s.create(VERSION);
      await s.settled();
      await s.edit({ ...UPGRADE });
      await s.settled();
      const { status } = await s.instance();
      const held = status?.conditions?.find(({ type }) => type === "PlanScheduled");
      assert.equal(held?.message, "parameter 'DISK' is immutable but was changed from '5Gi' to '9Gi'");
      assert.equal(status?.executions, 1);
      await s.edit({ parameters: { DISK: "5Gi" } });
      await s.settled();
      const { lastSucceeded } = (await s.instance()).status ?? {};
      assert.equal(lastSucceeded?.operatorVersion.name, UPGRADE.operatorVersion.name);
      assert.equal(lastSucceeded?.parameters?.DISK, "5Gi");
    },
  },
];
