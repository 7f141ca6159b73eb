import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { admissionsOf } from "../../../infra/testing/system/index.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { kudo } from "../index.ts";
import { Instance, type InstanceSpec, OperatorVersion } from "../kinds/index.ts";

const USER = { fieldManager: "user" } as const;
const INSTANCES = resourceOf(Instance);
const VERSIONS = resourceOf(OperatorVersion);
const FIFTY = Array.from({ length: 50 }, (_, index) => index);
const BY = 'admission webhook "instance-admission.kudo.dev" denied the request: ';

const plans = (...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { strategy: "serial", phases: [] }]));
const VERSION_SPECS = {
  v1: {
    parameters: [
      { name: "A", trigger: "scale" },
      { name: "B", trigger: "backup" },
      { name: "FIX", immutable: true, default: "f" },
      { name: "N", "value-type": "integer" },
    ],
    plans: plans("deploy", "scale", "backup"),
  },
  v2: { parameters: [{ name: "A", trigger: "scale" }], plans: plans("deploy", "upgrade", "scale") },
  clean: { parameters: [{ name: "A", trigger: "deploy" }], plans: plans("deploy", "cleanup") },
  many: {
    parameters: FIFTY.map((index) => ({ name: `P${index}`, trigger: `plan-${index}` })),
    plans: plans("deploy", ...FIFTY.map((index) => `plan-${index}`)),
  },
};

/** KUDO's admission, asked by an API server over TLS; no function runs. */
export function admissions(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane() : false;
  describe(`admission of Instances on the ${kind} API server`, { skip: skip !== false }, () => {
    let api: TestApi;
    let client: KubeClient;
    let asked: Awaited<ReturnType<typeof admissionsOf>>;
    let count = 0;
    const at = (name: string) => ({ name, namespace: "default" });
    const make = (spec: InstanceSpec): Promise<KubeObject> =>
      client.create(
        INSTANCES,
        { apiVersion: "kudo.dev/v1beta1", kind: "Instance", metadata: at(`db-${++count}`), spec },
        USER,
      );
    const edit = ({ metadata: { name } }: KubeObject, spec: object): Promise<KubeObject> =>
      client.patch(INSTANCES, at(name), "merge", { spec }, USER);
    const specOf = async ({ metadata: { name } }: KubeObject): Promise<InstanceSpec> =>
      (await client.get(INSTANCES, at(name)))?.spec as InstanceSpec;
    /** An Instance whose first run has ended, as the function leaves it. */
    const idle = async (version: string, parameters: Record<string, string> = {}): Promise<KubeObject> => {
      const made = await make({ operatorVersion: { name: version }, parameters });
      const { name } = made.metadata;
      const uid = (await specOf(made)).planExecution?.uid;
      const status = { planStatus: { deploy: { name: "deploy", uid, status: "COMPLETE" } } };
      await client.patch(INSTANCES, at(name), "merge", { status }, { ...USER, subresource: "status" });
      return edit(made, { planExecution: null });
    };
    const refused = async (write: Promise<unknown>): Promise<readonly [number | undefined, string]> => {
      const thrown = await write.then(
        () => assert.fail("the write went through"),
        (error: unknown) => error,
      );
      if (!(thrown instanceof KubeError)) throw thrown;
      const message = thrown.status?.message ?? "";
      return [thrown.status?.code, message.startsWith(BY) ? message.slice(BY.length) : message];
    };

    beforeAll(async () => {
      api = await startTestApi({ api: kind, controllers: false });
      client = api.client;
      await installKinds(client, [Instance, OperatorVersion]);
      for (const [name, spec] of Object.entries(VERSION_SPECS))
        await client.create(
          VERSIONS,
          { apiVersion: "kudo.dev/v1beta1", kind: "OperatorVersion", metadata: at(name), spec },
          USER,
        );
      asked = await admissionsOf({ api }, kudo);
      await eventually("the admission is asked", async () => {
        const probe = { apiVersion: "kudo.dev/v1beta1", kind: "Instance", metadata: at("probe"), spec: {} };
        return client.create(INSTANCES, probe, { ...USER, dryRun: true }).then(
          () => false,
          ({ message }: KubeError) => message.includes("denied the request"),
        );
      });
    });
    afterAll(async () => {
      await asked?.stop();
      await api?.stop();
    });

    it("begins a new one with its deploy plan, its immutable defaults and its finalizer", async () => {
      const { metadata, spec } = await make({ operatorVersion: { name: "clean" } });
      const { planExecution } = spec as InstanceSpec;
      assert.equal(planExecution?.planName, "deploy");
      assert.equal(planExecution?.status, "NEVER_RUN");
      assert.match(planExecution?.uid ?? "", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.deepEqual(metadata.finalizers, ["kudo.dev.instance.cleanup"]);
      const fixed = await make({ operatorVersion: { name: "v1" } });
      assert.deepEqual((fixed.spec as InstanceSpec).parameters, { FIX: "f" });
    });

    it("lets a changed parameter start its plan, and each run have a uid of its own", async () => {
      const made = await idle("v1");
      const first = (await edit(made, { parameters: { A: "1" } })).spec as InstanceSpec;
      assert.equal(first.planExecution?.planName, "scale");
      const again = (await edit(made, { parameters: { A: "2" } })).spec as InstanceSpec;
      assert.equal(again.planExecution?.planName, "scale");
      assert.notEqual(again.planExecution?.uid, first.planExecution?.uid);
    });

    it("lets the release of a run that ended pass", async () => {
      assert.equal((await specOf(await idle("v1"))).planExecution, undefined);
    });

    it("keeps an immutable value, and drops what an upgrade no longer knows", async () => {
      const made = await idle("v1", { FIX: "mine", B: "1" });
      const kept = await edit(made, { parameters: { FIX: null, A: "1" } });
      assert.equal((kept.spec as InstanceSpec).parameters?.FIX, "mine");
      const other = await idle("v1", { B: "1" });
      const { spec } = await edit(other, { operatorVersion: { name: "v2" } });
      assert.deepEqual((spec as InstanceSpec).parameters, {});
      assert.equal((spec as InstanceSpec).planExecution?.planName, "upgrade");
    });

    it("refuses in upstream's words", async () => {
      const free = await idle("v1");
      const { name } = free.metadata;
      const failed = `failed to update Instance default/${name}: `;
      const of = (spec: object): Promise<readonly [number | undefined, string]> => refused(edit(free, spec));
      assert.deepEqual(await of({ planExecution: { planName: "nope" } }), [403, "plan nope does not exist"]);
      assert.deepEqual(await of({ parameters: { X: "1" } }), [
        403,
        `${failed}failed to find parameter "X" in the OperatorVersion`,
      ]);
      assert.deepEqual(await of({ parameters: { FIX: "g" } }), [
        403,
        `failed to check immutable parameters for Instance default/${name}: parameter 'FIX' is immutable but was changed from 'f' to 'g'`,
      ]);
      assert.deepEqual(await of({ parameters: { N: "x" } }), [
        403,
        `failed to validate parameters for Instance default/${name}: parameter "N" has an invalid value "x": type is "integer" but format of "x" is invalid: strconv.ParseInt: parsing "x": invalid syntax`,
      ]);
      assert.deepEqual(await of({ parameters: { A: "1", B: "1" } }), [
        403,
        `${failed}triggering multiple plans: [[scale backup]] at once is not allowed`,
      ]);
      assert.deepEqual(await of({ operatorVersion: { name: "gone" } }), [
        500,
        'OperatorVersion.kudo.dev "gone" not found',
      ]);
      assert.deepEqual(await specOf(free), { operatorVersion: { name: "v1" }, parameters: { FIX: "f" } });
      const busy = await make({ operatorVersion: { name: "v1" } });
      const busyFailed = `failed to update Instance default/${busy.metadata.name}: `;
      assert.deepEqual(await refused(edit(busy, { parameters: { A: "1" } })), [
        403,
        `${busyFailed}plan 'deploy' is scheduled (or running) and an update would trigger a different plan 'scale'`,
      ]);
      assert.deepEqual(await refused(edit(busy, { planExecution: null })), [
        403,
        `${busyFailed}cancelling currently scheduled (or running) plan 'deploy' is not supported`,
      ]);
      assert.deepEqual(await refused(edit(busy, { planExecution: { planName: "backup" } })), [
        403,
        `${busyFailed}overriding currently scheduled (or running) plan 'deploy' with 'backup' is not supported`,
      ]);
    });

    it("refuses edits of one that is being deleted, and only cleanup may run", async () => {
      const made = await idle("clean");
      const { name, uid } = made.metadata;
      const failed = `failed to update Instance default/${name}: `;
      await client.delete(INSTANCES, at(name), { uid });
      assert.deepEqual(await refused(edit(made, { parameters: { A: "1" } })), [
        403,
        `${failed}parameter update and/or upgrade is not allowed when an instance is being deleted`,
      ]);
      assert.deepEqual(await refused(edit(made, { planExecution: { planName: "deploy" } })), [
        403,
        `${failed}only 'cleanup' plan can be scheduled when an instance is being deleted`,
      ]);
      await edit(made, { planExecution: { planName: "cleanup", uid: "c" } });
      assert.deepEqual(await refused(edit(made, { planExecution: null })), [
        403,
        `${failed}'cleanup' plan can not be cancelled or overridden by another plan since the instance is being deleted`,
      ]);
      // Its last finalizer comes off, whatever runs.
      await client.patch(INSTANCES, at(name), "merge", { metadata: { finalizers: null } }, USER);
      assert.equal(await client.get(INSTANCES, at(name)), undefined);
    });

    it("of fifty edits at once lets one win, and tells the others why", async () => {
      const made = await idle("many");
      const edits = await Promise.allSettled(
        FIFTY.map((index) => edit(made, { parameters: { [`P${index}`]: "1" } })),
      );
      const won = FIFTY.filter((index) => edits[index]?.status === "fulfilled");
      assert.equal(won.length, 1);
      const { parameters, planExecution } = await specOf(made);
      assert.deepEqual(parameters, { [`P${won[0]}`]: "1" });
      assert.equal(planExecution?.planName, `plan-${won[0]}`);
      for (const [index, one] of edits.entries())
        if (one.status === "rejected")
          assert.deepEqual(await refused(Promise.reject(one.reason)), [
            403,
            `failed to update Instance default/${made.metadata.name}: plan 'plan-${won[0]}' is scheduled (or running) and an update would trigger a different plan 'plan-${index}'`,
          ]);
    });

    it("that is off loses none of fifty edits", async () => {
      await asked.use([]);
      const made = await eventually("nobody is asked", async () => {
        const one = await make({ operatorVersion: { name: "many" } });
        return (one.spec as InstanceSpec).planExecution === undefined ? one : undefined;
      });
      const editOnce = async (index: number): Promise<void> => {
        for (;;)
          try {
            return void (await edit(made, { parameters: { [`P${index}`]: "1" } }));
          } catch (thrown) {
            // The real server gives up after five conflicts of a patch with others.
            if (!(thrown instanceof KubeError) || thrown.kind !== "stale") throw thrown;
          }
      };
      await Promise.all(FIFTY.map(editOnce));
      assert.equal(Object.keys((await specOf(made)).parameters ?? {}).length, 50);
    });
  });
}
