import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { Instance } from "../index.ts";
import { DATABASE, dummy, phase, plan } from "./operators.ts";
import { SHOP, type Stage } from "./stage.ts";

const VERSION = { operatorVersion: { name: "pgmini-14.2-0.3.0" } };
const NEXT = { operatorVersion: { name: "pgmini-15.0-0.4.0" } };
const FAILED = "failed to update Instance shop/db: ";

/** The words with which a write was refused, behind those of the API server. */
async function refusal(write: Promise<unknown>): Promise<string> {
  const thrown: unknown = await write.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof KubeError, "the write went through");
  const [, words = ""] = /denied the request: (.*)$/s.exec(thrown.status?.message ?? "") ?? [];
  return words;
}
const isRefused = async (write: Promise<unknown>, words: string): Promise<void> =>
  assert.equal(await refusal(write), words);

async function deployed(s: Stage): Promise<void> {
  await s.version(VERSION.operatorVersion.name, DATABASE);
  await s.version(NEXT.operatorVersion.name, { ...DATABASE, version: "0.4.0", appVersion: "15.0" });
  await s.create(VERSION);
  await s.settled();
  assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
}
/** An Instance whose deploy plan runs until somebody ends it. */
async function deploying(s: Stage): Promise<void> {
  const tasks = [...(DATABASE.tasks ?? []), dummy("never", { done: false })];
  const plans = { ...DATABASE.plans, deploy: plan("config: config", "wait: never") };
  await s.version(VERSION.operatorVersion.name, { ...DATABASE, tasks, plans });
  await s.version(NEXT.operatorVersion.name, DATABASE);
  await s.create(VERSION);
  await s.settled();
  assert.equal((await s.plan("deploy"))?.status, "IN_PROGRESS");
}

/** The API server asks before it stores what users write. */
export const asked: readonly Scenario<Stage>[] = [
  {
    number: 2,
    name: "an Instance without deploy, or without its version, is refused",
    async run(s) {
      await isRefused(s.create(VERSION), 'OperatorVersion.kudo.dev "pgmini-14.2-0.3.0" not found');
      await s.version(VERSION.operatorVersion.name, { plans: { scale: {} } });
      await isRefused(
        s.create(VERSION),
        "failed to create an Instance shop/db: couldn't find 'deploy' plan in the operatorVersion",
      );
      assert.deepEqual(await s.list(Instance, SHOP), []);
    },
  },
  {
    number: 9,
    name: "two triggers at once are refused",
    async run(s) {
      await deployed(s);
      await isRefused(
        s.edit({ parameters: { SIZE: "2", KEEP: "9" } }),
        `${FAILED}triggering multiple plans: [[scale backup]] at once is not allowed`,
      );
      assert.equal((await s.instance()).status?.executions, 1);
    },
  },
  {
    number: 10,
    name: "a change for the plan that runs begins it anew",
    async run(s) {
      await deploying(s);
      const uid = (await s.plan("deploy"))?.uid;
      await s.edit({ parameters: { COLOR: "blue" } });
      await s.settled();
      const entry = await s.plan("deploy");
      assert.notEqual(entry?.uid, uid);
      assert.equal(entry?.status, "IN_PROGRESS");
      assert.equal((await s.instance()).status?.lastStarted?.parameters?.COLOR, "blue");
      const [config, wait] = entry?.phases?.[0]?.steps ?? [];
      assert.equal(`${config?.status} ${wait?.status}`, "COMPLETE IN_PROGRESS");
      const tasks = [...(DATABASE.tasks ?? []), dummy("never")];
      const plans = { ...DATABASE.plans, deploy: plan("config: config", "wait: never") };
      await s.version(VERSION.operatorVersion.name, { ...DATABASE, tasks, plans });
      await s.settled();
      const { spec, status } = await s.instance();
      assert.equal(spec?.planExecution, undefined);
      assert.equal(`${status?.planStatus?.deploy?.status} ${status?.executions}`, "COMPLETE 2");
      const made = await s.find(ConfigMap, "db-config");
      assert.deepEqual(made?.data, { plan: "deploy", size: "1", color: "blue" });
    },
  },
  {
    number: 11,
    name: "whatever belongs to another plan than the one that runs is refused",
    async run(s) {
      await deploying(s);
      const before = (await s.instance()).status;
      await isRefused(
        s.edit({ parameters: { SIZE: "2" } }),
        `${FAILED}plan 'deploy' is scheduled (or running) and an update would trigger a different plan 'scale'`,
      );
      await isRefused(
        s.edit(NEXT),
        `${FAILED}upgrade to new OperatorVersion {  pgmini-15.0-0.4.0    } while a plan 'deploy' is scheduled (or running) is not allowed`,
      );
      await isRefused(
        s.edit({ planExecution: { planName: "backup", uid: "mine" } }),
        `${FAILED}overriding currently scheduled (or running) plan 'deploy' with 'backup' is not supported`,
      );
      await isRefused(
        s.edit({ planExecution: null }),
        `${FAILED}cancelling currently scheduled (or running) plan 'deploy' is not supported`,
      );
      await s.settled();
      assert.deepEqual((await s.instance()).status, before);
    },
  },
  {
    number: 13,
    name: "an upgrade may bring a change for deploy, and none for another plan",
    async run(s) {
      await deployed(s);
      await isRefused(
        s.edit({ ...NEXT, parameters: { KEEP: "9" } }),
        `${FAILED}upgrade to new OperatorVersion {  pgmini-15.0-0.4.0    } together with a parameter update triggering 'backup' is not allowed`,
      );
      await s.edit({ ...NEXT, parameters: { COLOR: "blue" } });
      await s.settled();
      const { status } = await s.instance();
      assert.equal(status?.lastSucceeded?.operatorVersion.name, NEXT.operatorVersion.name);
      assert.equal(`${status?.lastSucceeded?.planName} ${status?.executions}`, "deploy 2");
      // A version that has a plan for it runs that one.
      const plans = { ...DATABASE.plans, upgrade: plan("config: config") };
      await s.version("pgmini-16.0-0.5.0", { ...DATABASE, version: "0.5.0", appVersion: "16.0", plans });
      await s.edit({ operatorVersion: { name: "pgmini-16.0-0.5.0" }, parameters: { COLOR: "green" } });
      await s.settled();
      const { lastSucceeded, executions } = (await s.instance()).status ?? {};
      assert.equal(`${lastSucceeded?.planName} ${executions}`, "upgrade 3");
      const made = await s.find(ConfigMap, "db-config");
      assert.deepEqual(made?.data, { plan: "upgrade", size: "1", color: "green" });
    },
  },
  {
    number: 14,
    name: "a plan runs by name; one that is unknown, and cleanup, are refused",
    async run(s) {
      await deployed(s);
      await s.edit({ planExecution: { planName: "backup", uid: "one" } });
      await s.settled();
      assert.equal((await s.plan("backup"))?.status, "COMPLETE");
      await isRefused(s.edit({ planExecution: { planName: "nope", uid: "x" } }), "plan nope does not exist");
    },
  },
  {
    number: 34,
    name: "an immutable parameter keeps its default, and cannot change",
    async run(s) {
      const parameters = [...(DATABASE.parameters ?? []), { name: "DISK", default: "5Gi", immutable: true }];
      await s.version(VERSION.operatorVersion.name, { ...DATABASE, parameters });
      await s.create(VERSION);
      await s.settled();
      assert.equal((await s.instance()).spec?.parameters?.DISK, "5Gi");
      await isRefused(
        s.edit({ parameters: { DISK: "9Gi" } }),
        "failed to check immutable parameters for Instance shop/db: parameter 'DISK' is immutable but was changed from '5Gi' to '9Gi'",
      );
      const added = [...parameters, { name: "ZONE", immutable: true }];
      await s.version(NEXT.operatorVersion.name, { ...DATABASE, parameters: added });
      await isRefused(
        s.edit(NEXT),
        "failed to check immutable parameters for Instance shop/db: parameter 'ZONE' was added in operator version pgmini-15.0-0.4.0, but no value was provided",
      );
    },
  },
  {
    number: 18,
    name: "while cleanup runs nothing else may, and the finalizer is there from the beginning",
    async run(s) {
      const cleanup = { strategy: "serial" as const, phases: [phase("end", "serial", "wait: never")] };
      const tasks = [...(DATABASE.tasks ?? []), dummy("never", { done: false })];
      await s.version(VERSION.operatorVersion.name, {
        ...DATABASE,
        tasks,
        plans: { ...DATABASE.plans, cleanup },
      });
      await s.create(VERSION);
      await s.settled();
      assert.deepEqual((await s.instance()).metadata.finalizers, ["kudo.dev.instance.cleanup"]);
      await s.remove(Instance, { name: "db", namespace: SHOP });
      await s.settled();
      assert.equal((await s.plan("cleanup"))?.status, "IN_PROGRESS");
      await isRefused(
        s.edit({ parameters: { SIZE: "2" } }),
        `${FAILED}parameter update and/or upgrade is not allowed when an instance is being deleted`,
      );
      await s.version(VERSION.operatorVersion.name, { ...DATABASE, plans: { ...DATABASE.plans } });
      await s.settled();
      assert.deepEqual(await s.list(Instance, SHOP), []);
    },
  },
];
