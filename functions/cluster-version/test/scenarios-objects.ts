import assert from "node:assert/strict";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Event, Job } from "../../../shared/kube/kinds/index.ts";
import { type Component, configMap, manifest, NAMESPACE } from "./releases.ts";
import type { BenchScenarios } from "./scenario.ts";
import { allWell, type Bench, installed, moveTo, pass } from "./stage.ts";

const OLD = "5.1.9";
const NEW = "5.2.0";
const DNS: Component = { name: "dns", level: "70" };
const MAPS = resourceOf(ConfigMap);

const job = manifest(
  "batch/v1",
  "Job",
  { name: "migration", namespace: NAMESPACE },
  { spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "run", image: "run" }] } } } },
);
const migrating: Component = {
  name: "store",
  level: "20",
  operands: false,
  files: { "50_job": job, "60_after": configMap("after", { made: "yes" }) },
};

/** Ends the Job as its controller would. */
async function jobEnds(stage: Bench, type: "Complete" | "Failed"): Promise<void> {
  const at = "2026-01-01T00:00:00Z";
  const end = {
    status: "True",
    reason: type,
    message: "It has ended.",
    lastTransitionTime: at,
    lastProbeTime: at,
  };
  // The real server wants the intention before the end.
  const before = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  await stage.stack.client.patch(
    resourceOf(Job),
    { name: "migration", namespace: NAMESPACE },
    "merge",
    {
      status: {
        startTime: at,
        ...(type === "Complete" && { succeeded: 1, completionTime: at }),
        ...(type === "Failed" && { failed: 1 }),
        conditions: [
          { ...end, type: before },
          { ...end, type },
        ],
      },
    },
    { fieldManager: "job-controller", subresource: "status" },
  );
}

/** The objects that a payload brings, and what becomes of them. */
export const objects: BenchScenarios = [
  {
    number: 10,
    name: "what comes after a Job waits for its success, and an installation only for the Job",
    async run(stage) {
      const after = async (): Promise<unknown> => (await stage.get(ConfigMap, "after", NAMESPACE))?.data;
      await installed(stage, OLD, [{ ...migrating, files: {} }]);
      await moveTo(stage, NEW, [migrating]);
      assert.ok(await stage.get(Job, "migration", NAMESPACE));
      assert.equal(await after(), undefined);
      assert.equal((await stage.says()).conditions.Failing, "False");
      await jobEnds(stage, "Complete");
      await pass(stage, 1);
      assert.deepEqual(await after(), { made: "yes" });
      assert.equal((await stage.says()).history[0], `${NEW} Completed`);
      await stage.empty();
      stage.release(NEW, [migrating]);
      await moveTo(stage, NEW);
      assert.deepEqual(await after(), { made: "yes" });
    },
  },
  {
    number: 10,
    name: "a Job that failed stops what comes after it",
    async run(stage) {
      await installed(stage, OLD, [{ ...migrating, files: {} }]);
      await moveTo(stage, NEW, [migrating]);
      await jobEnds(stage, "Failed");
      for (let minute = 0; minute < 3; minute += 1) await pass(stage, 1);
      assert.equal(
        (await stage.says()).conditions.Failing,
        'True UpdatePayloadFailed Could not update job "demo/migration" (3 of 4)',
      );
      assert.equal(await stage.get(ConfigMap, "after", NAMESPACE), undefined);
    },
  },
  {
    number: 39,
    name: "what is to be deleted is left alone by an installation, and asked to go by an update that does not wait for it",
    async run(stage) {
      const { client } = stage.stack;
      const doomed: Component = {
        ...DNS,
        files: { "50_gone": configMap("doomed", {}, { "release.openshift.io/delete": "true" }) },
      };
      await installed(stage, "5.1.0", [DNS]);
      const at = { name: "doomed", namespace: NAMESPACE };
      await client.create(
        MAPS,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { ...at, finalizers: ["example.org/slow"] } },
        { fieldManager: "somebody" },
      );
      await moveTo(stage, OLD, [doomed]);
      await allWell(stage, OLD, ["dns"]);
      assert.notEqual((await client.get(MAPS, at))?.metadata.deletionTimestamp, undefined);
      const pending = await stage.says();
      assert.equal(pending.history[0], `${OLD} Completed`);
      assert.match(pending.conditions.Upgradeable ?? "", /^False ResourceDeletionInProgress .*doomed/);
      await client.patch(MAPS, at, "merge", { metadata: { finalizers: null } }, { fieldManager: "somebody" });
      await pass(stage, 5);
      assert.equal((await stage.says()).conditions.Upgradeable, undefined);
      await stage.empty();
      await client.create(
        MAPS,
        { apiVersion: "v1", kind: "ConfigMap", metadata: at },
        { fieldManager: "somebody" },
      );
      await installed(stage, OLD, [doomed]);
      assert.ok(await client.get(MAPS, at));
      assert.equal((await client.get(MAPS, at))?.metadata.deletionTimestamp, undefined);
    },
  },
  {
    number: 39,
    name: "another value of the delete annotation is an error",
    async run(stage) {
      const wrong = configMap("kept", {}, { "release.openshift.io/delete": "yes" });
      stage.release(OLD, [{ ...DNS, operands: false, files: { "50_wrong": wrong } }]);
      await moveTo(stage, OLD);
      for (let minute = 0; minute < 4; minute += 1) await pass(stage, 1);
      assert.equal(
        (await stage.says()).conditions.Failing,
        'True UpdatePayloadFailed Could not update configmap "demo/kept" (3 of 3)',
      );
      const { items } = await stage.stack.client.list(resourceOf(Event), { namespace: "default" });
      const told = items.map(({ message }) => String(message));
      assert.ok(
        told.includes(
          'Could not update configmap "demo/kept" (3 of 3) (Invalid delete annotation "release.openshift.io/delete" value: "yes")',
        ),
        told.join("\n"),
      );
    },
  },
  {
    number: 40,
    name: "what is only created stays as its user made it, a key of the manifest is restored, another one stays",
    async run(stage) {
      const { client } = stage.stack;
      const once = configMap("once", { a: "manifest" }, { "release.openshift.io/create-only": "True" });
      await installed(stage, OLD, [{ ...DNS, files: { "50_once": once } }]);
      for (const [name, data] of [
        ["once", { a: "user" }],
        ["dns-settings", { version: "user", extra: "user" }],
      ] as const)
        await client.patch(MAPS, { name, namespace: NAMESPACE }, "merge", { data }, { fieldManager: "user" });
      await pass(stage, 5);
      const now = async (name: string): Promise<unknown> =>
        (await stage.get(ConfigMap, name, NAMESPACE))?.data;
      assert.deepEqual(await now("once"), { a: "user" });
      assert.deepEqual(await now("dns-settings"), { version: OLD, extra: "user" });
    },
  },
];
