import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../../infra/testing/control-plane.ts";
import { eventually } from "../../../../infra/testing/eventually.ts";
import { startTestApi } from "../../../../infra/testing/test-api.ts";
import { fieldOf } from "../../../../shared/json/fields.ts";
import type { KubeClient } from "../../../../shared/kube/client.ts";
import { resourceOf } from "../../../../shared/kube/kind.ts";
import { ConfigMap, Job } from "../../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { type Component, configMap, manifest, NAMESPACE } from "../releases.ts";
import { allWell, installed, moveTo, pass, type Stage, settings, startStage, WELL } from "../stage.ts";
import { applier } from "./cluster.ts";
import * as samples from "./manifests.ts";

const OLD = "5.1.9";
const NEW = "5.2.0";
const MINUTES_BETWEEN_PASSES = 10;
const MOST_MINUTES = 15;
/** Namespace and settings of the release, its operator, the work record, and what is tried before its kind is served. */
const BESIDES = 10;

/** The kinds that the sync's own stack brings, and those that the local API does not know. */
const withheld = new Set(["clusteroperators.config.openshift.io", "flowschemas"]);
const everyKind: readonly KubeObject[] = samples.manifests.filter(
  ({ kind, metadata }) => kind !== "ClusterOperator" && kind !== "FlowSchema" && !withheld.has(metadata.name),
);
const every: Component = {
  name: "every",
  level: "30",
  files: Object.fromEntries(
    everyKind.map((object, index) => [`${20 + index}_${object.kind.toLowerCase()}`, JSON.stringify(object)]),
  ),
};

const CREATE_ONLY = { "release.openshift.io/create-only": "true" };
const DELETE = { "release.openshift.io/delete": "true" };
const job = manifest(
  "batch/v1",
  "Job",
  { name: "migrate", namespace: NAMESPACE },
  { spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "run", image: "x" }] } } } },
);

/** Lets minutes go by until it is so; retries and waits have their times. */
async function inTime(stage: Stage, what: string, look: () => Promise<boolean>): Promise<void> {
  for (let minute = 0; minute < MOST_MINUTES; minute++) {
    if (await look()) return;
    await pass(stage, 1);
  }
  assert.fail(`not in ${MOST_MINUTES} minutes: ${what}; ${JSON.stringify((await stage.says()).conditions)}`);
}

/** The apply rules as part of the sync, on the whole stack. */
export function passSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane() : false;
  describe(`a pass over a payload on the ${api} API`, { skip: skip !== false }, () => {
    let stage: Stage;
    let engine: KubeClient;
    beforeAll(async () => {
      stage = await startStage({
        api: await startTestApi({ api, controllers: false }),
        engineClient: (client) => {
          engine = client;
          return client;
        },
      });
    });
    afterAll(() => stage.stop());
    afterEach(() => stage.empty());

    const requests = (...verbs: readonly string[]): number =>
      verbs.reduce((sum, verb) => sum + (engine.requests[verb] ?? 0), 0);
    const edit = (name: string, data: Readonly<Record<string, string | null>>): Promise<KubeObject> =>
      stage.stack.client.patch(
        resourceOf(ConfigMap),
        { namespace: NAMESPACE, name },
        "merge",
        { data },
        { fieldManager: "kubectl-edit" },
      );
    const endJob = (
      type: "Complete" | "Failed",
      name: string,
      namespace = NAMESPACE,
    ): Promise<KubeObject> => {
      const at = "2026-02-03T09:00:00Z";
      const criterion = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
      const conditions = [criterion, type].map((of) => ({
        type: of,
        status: "True",
        lastTransitionTime: at,
        ...(type === "Failed" && { reason: "BackoffLimitExceeded", message: "no" }),
      }));
      const status = {
        startTime: at,
        ...(type === "Complete" && { completionTime: at, succeeded: 1 }),
        conditions,
      };
      return stage.stack.client.patch(
        resourceOf(Job),
        { namespace, name },
        "merge",
        { status },
        { fieldManager: "kube-controller-manager", subresource: "status" },
      );
    };

    test("makes one of each kind, and finds them all as they shall be", { timeout: 120_000 }, async () => {
      const cluster = applier(stage.stack.client);
      const begun = requests("create", "replace");
      stage.release(OLD, [every]);
      await moveTo(stage, OLD);
      await stage.report("every", { ...WELL, versions: { operator: OLD } });
      const completed = async (): Promise<boolean> => (await stage.says()).history[0] === `${OLD} Completed`;
      await inTime(stage, "the release is installed", completed);
      const own = await cluster.read(samples.deployment);
      assert.equal(own?.metadata.ownerReferences?.[0]?.kind, "ClusterVersion");
      const written = requests("create", "replace") - begun;
      assert.ok(written <= everyKind.length + BESIDES, `${written} writes for ${everyKind.length} objects`);
      await endJob("Complete", "demo", "demo-payload");
      await pass(stage, MINUTES_BETWEEN_PASSES);
      await stage.settled();
      const versions = async (): Promise<readonly unknown[]> =>
        Promise.all(everyKind.map(async (object) => (await cluster.read(object))?.metadata.resourceVersion));
      const before = await versions();
      const widget = await cluster.read(samples.widget);
      assert.ok(!before.includes(undefined));
      const [writes, reads] = [requests("create", "replace", "patch", "delete"), requests("get")];
      await pass(stage, MINUTES_BETWEEN_PASSES);
      assert.deepEqual(await versions(), before);
      assert.equal(requests("create", "replace", "patch", "delete") - writes, 0, "writes");
      const read = requests("get") - reads;
      assert.ok(read >= everyKind.length && read <= everyKind.length + BESIDES, `${read} reads`);

      // Who writes in the second of the creation counts as its maker: field managers' times are whole seconds.
      const made = Date.parse(widget?.metadata.creationTimestamp ?? "");
      await eventually("that second is over", () => Date.now() >= made + 1_000);
      await cluster.edit(samples.widget, { spec: { size: 9, free: { mine: true } } });
      await cluster.edit(samples.deployment, { spec: { replicas: 7 } });
      await pass(stage, MINUTES_BETWEEN_PASSES);
      const healed = await cluster.read(samples.widget);
      assert.deepEqual(
        healed?.spec,
        widget?.spec,
        "what a user put beside the manifest's is gone, defaults are back",
      );
      assert.equal(fieldOf((await cluster.read(samples.deployment))?.spec, "replicas"), 1);
    });

    test("scenario 40: what is only created survives; a listed key is restored, another survives", async () => {
      const component: Component = {
        name: "dns",
        level: "30",
        files: {
          "20_once": configMap("once", { a: "1" }, CREATE_ONLY),
          "21_kept": configMap("kept", { a: "1" }),
        },
      };
      await installed(stage, OLD, [component]);
      await edit("once", { a: "mine", b: "mine" });
      await edit("kept", { a: "mine", b: "mine" });
      await pass(stage, MINUTES_BETWEEN_PASSES);
      assert.deepEqual((await stage.get(ConfigMap, "once", NAMESPACE))?.data, { a: "mine", b: "mine" });
      assert.deepEqual((await stage.get(ConfigMap, "kept", NAMESPACE))?.data, { a: "1", b: "mine" });
    });

    test("scenario 39: what is to go stays on an installation, and is asked to go once on an update", async () => {
      const component: Component = {
        name: "dns",
        level: "30",
        files: { "20_old": configMap("old", {}, DELETE) },
      };
      const client = stage.stack.client;
      await client.apply(
        { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" },
        { name: NAMESPACE },
        { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
        { fieldManager: "admin" },
      );
      await client.create(
        resourceOf(ConfigMap),
        {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "old", namespace: NAMESPACE, finalizers: ["demo.example.org/held"] },
        },
        { fieldManager: "admin" },
      );
      await installed(stage, OLD, [component]);
      assert.equal((await stage.get(ConfigMap, "old", NAMESPACE))?.metadata.deletionTimestamp, undefined);

      const deletes = requests("delete");
      await moveTo(stage, NEW, [component]);
      await allWell(stage, NEW, ["dns"]);
      await pass(stage, MINUTES_BETWEEN_PASSES);
      assert.equal(requests("delete") - deletes, 1);
      assert.deepEqual((await stage.says()).history[0], `${NEW} Completed`, "nothing waits for it");
      assert.notEqual((await stage.get(ConfigMap, "old", NAMESPACE))?.metadata.deletionTimestamp, undefined);
      assert.match((await stage.says()).conditions.Upgradeable ?? "", /^False/);

      await client.patch(
        resourceOf(ConfigMap),
        { name: "old", namespace: NAMESPACE },
        "merge",
        { metadata: { finalizers: [] } },
        { fieldManager: "admin" },
      );
      await pass(stage, MINUTES_BETWEEN_PASSES);
      assert.equal(await stage.get(ConfigMap, "old", NAMESPACE), undefined);
      assert.equal((await stage.says()).conditions.Upgradeable, undefined);
    });

    test("scenario 10: nothing behind a Job is applied before it has succeeded", async () => {
      const before: Component = { name: "dns", level: "30" };
      const release: readonly Component[] = [
        { name: "dns", level: "30", files: { "20_job": job } },
        { name: "late", level: "40", operands: false },
      ];
      await installed(stage, OLD, [before]);
      await moveTo(stage, NEW, release);
      await allWell(stage, NEW, ["dns"]);
      assert.notEqual(await stage.get(Job, "migrate", NAMESPACE), undefined);
      await pass(stage, 1);
      assert.equal(await settings(stage, "late"), undefined, "the Job runs");
      await endJob("Complete", "migrate");
      await stage.settled();
      await pass(stage, MINUTES_BETWEEN_PASSES);
      assert.notEqual(await settings(stage, "late"), undefined);
    });

    test("scenario 10: a Job that has failed stops what depends on it", async () => {
      const release: readonly Component[] = [
        { name: "dns", level: "30", files: { "20_job": job } },
        { name: "late", level: "40", operands: false },
      ];
      await installed(stage, OLD, [{ name: "dns", level: "30" }]);
      await moveTo(stage, NEW, release);
      await endJob("Failed", "migrate");
      await stage.settled();
      const failing = async (): Promise<string> => (await stage.says()).conditions.Failing ?? "";
      await inTime(stage, "the update fails", async () => (await failing()).startsWith("True"));
      assert.match(await failing(), /^True UpdatePayloadFailed Could not update job "demo\/migrate"/);
      assert.equal(await settings(stage, "late"), undefined);
    });
  });
}
