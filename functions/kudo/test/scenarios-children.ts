import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { Instance } from "../index.ts";
import type { OperatorVersionSpec, Task } from "../kinds/index.ts";
import { apply, DATABASE, dummy, plan } from "./operators.ts";
import { SHOP, type Shop } from "./shop.ts";

const child = (operator: string): Task => ({
  name: "child",
  kind: "KudoOperator",
  spec: { package: operator, operatorVersion: "1.0" },
});
const OWN = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Name }}-own'}\n";
/** An operator that installs another, and then brings an object of its own. */
const above = (name: string, below: string): OperatorVersionSpec => ({
  operator: { name },
  version: "1.0",
  templates: { "own.yaml": OWN },
  tasks: [child(below), apply("own", "own.yaml")],
  plans: { deploy: plan("below: child", "own: own") },
});
/** An operator of one dummy task. */
const lowest = (spec: Task["spec"]): OperatorVersionSpec => ({
  operator: { name: "c" },
  version: "1.0",
  tasks: [dummy("work", spec)],
  plans: { deploy: plan("work: work") },
});
const NAMES = ["a", "a-b", "a-b-c"] as const;
const statuses = (s: Shop) =>
  Promise.all(NAMES.map(async (name) => (await s.plan("deploy", name))?.status ?? "none"));
const below = async (s: Shop, name: string) =>
  (await s.plan("deploy", name))?.phases?.[0]?.steps?.map(({ status, message }) => ({ status, message }));

const fatal = (where: string, task: string, cause: string) =>
  `Error during execution: fatal error: shop/${where} failed in deploy.main.${task}: ${cause}`;

async function create(s: Shop, c: Task["spec"]): Promise<void> {
  await s.version("a-1.0", above("a", "b"));
  await s.version("b-1.0", above("b", "c"));
  await s.version("c-1.0", lowest(c));
  await s.create({ operatorVersion: { name: "a-1.0" } }, "a");
  await s.settled();
}
async function removeAll(s: Shop): Promise<void> {
  await s.remove(Instance, { name: "a", namespace: SHOP });
  await s.until("all are gone", async () => (await s.list(Instance, SHOP)).length === 0);
  await s.settled();
}

/** Instances that Instances make. */
export const children: readonly Scenario<Shop>[] = [
  {
    number: 32,
    name: "children are done before their parent, and go with it",
    async run(s) {
      await create(s, { done: false });
      assert.deepEqual(await statuses(s), ["IN_PROGRESS", "IN_PROGRESS", "IN_PROGRESS"]);
      assert.deepEqual(await below(s, "a"), [
        { status: "IN_PROGRESS", message: "instance a-b: plan deploy runs" },
        { status: "PENDING", message: undefined },
      ]);
      const { metadata } = await s.instance("a-b");
      const [owner] = metadata.ownerReferences;
      assert.equal(metadata.labels["kudo.dev/operator"], "b");
      assert.equal(`${owner?.name} ${owner?.controller ?? false}`, "a false");
      await s.version("c-1.0", lowest({ done: true }));
      await s.settled();
      assert.deepEqual(await statuses(s), ["COMPLETE", "COMPLETE", "COMPLETE"]);
      for (const name of NAMES) assert.equal((await s.instance(name)).status?.executions, 1);
      await removeAll(s);
      await s.until(
        "what they own is gone",
        async () =>
          (await s.find(ConfigMap, "a-own")) === undefined &&
          (await s.find(ConfigMap, "a-b-own")) === undefined,
      );
    },
  },
  {
    number: 32,
    name: "a child that fails fails its parent, with its own words",
    async run(s) {
      await create(s, { wantErr: true, fatal: true });
      assert.deepEqual(await statuses(s), ["FATAL_ERROR", "FATAL_ERROR", "FATAL_ERROR"]);
      const c = fatal("a-b-c", "work.work", "dummy error");
      const b = fatal("a-b", "below.child", `instance a-b-c: plan deploy failed: ${c}`);
      assert.deepEqual(await below(s, "a"), [
        {
          status: "FATAL_ERROR",
          message: fatal("a", "below.child", `instance a-b: plan deploy failed: ${b}`),
        },
        { status: "PENDING", message: undefined },
      ]);
      // Repaired below and begun anew there, the parent's next run finds it done.
      await s.version("c-1.0", lowest({ done: true }));
      await s.edit({ planExecution: { planName: "deploy", uid: "c-again" } }, "a-b-c");
      await s.settled();
      await s.edit({ planExecution: { planName: "deploy", uid: "b-again" } }, "a-b");
      await s.settled();
      await s.edit({ planExecution: { planName: "deploy", uid: "a-again" } }, "a");
      await s.settled();
      assert.deepEqual(await statuses(s), ["COMPLETE", "COMPLETE", "COMPLETE"]);
    },
  },
  {
    number: 32,
    name: "operators that install each other, or one that is not there, are not begun",
    async run(s) {
      await s.version("c-1.0", above("c", "a"));
      await s.version("b-1.0", above("b", "c"));
      await s.version("a-1.0", above("a", "b"));
      const fails = async (why: string): Promise<void> => {
        await s.settled();
        const entry = await s.plan("deploy", "a");
        assert.equal(entry?.status, "FATAL_ERROR");
        assert.equal((await below(s, "a"))?.[0]?.message, fatal("a", "below.child", why));
        assert.deepEqual(
          (await s.list(Instance, SHOP)).map(({ metadata }) => metadata.name),
          ["a"],
        );
      };
      await s.create({ operatorVersion: { name: "a-1.0" } }, "a");
      await fails("cyclic package dependency found: a-1.0 -> b-1.0 -> c-1.0 -> a-1.0");
      assert.equal((await s.events("CircularDependency")).length, 1);
      await s.version("c-1.0", above("c", "d"));
      await s.edit({ planExecution: { planName: "deploy", uid: "again" } }, "a");
      await fails("OperatorVersion d-1.0, which c-1.0 depends on, does not exist");
      assert.equal((await s.events("CircularDependency")).length, 2);
    },
  },
  {
    number: 33,
    name: "a parent's parameter reaches its child, which runs once for it",
    async run(s) {
      await s.version("parent-1.0", {
        operator: { name: "parent" },
        version: "1.0",
        parameters: [
          { name: "SIZE", default: "1" },
          { name: "OTHER", default: "1" },
        ],
        templates: { "child.yaml": "SIZE: {{ .Params.SIZE }}\n" },
        tasks: [
          {
            name: "child",
            kind: "KudoOperator",
            spec: {
              package: "pgmini",
              operatorVersion: "0.3.0",
              appVersion: "14.2",
              instanceName: "below",
              parameterFile: "child.yaml",
            },
          },
        ],
        plans: { deploy: plan("below: child") },
      });
      await s.version("pgmini-14.2-0.3.0", DATABASE);
      await s.create({ operatorVersion: { name: "parent-1.0" } });
      await s.settled();
      assert.equal((await s.instance("below")).status?.executions, 1);
      await s.edit({ parameters: { SIZE: "2" } });
      await s.settled();
      const below = await s.instance("below");
      assert.equal(below.status?.executions, 2);
      assert.equal(below.status?.lastSucceeded?.parameters?.SIZE, "2");
      assert.equal(below.status?.lastSucceeded?.planName, "scale");
      await s.edit({ parameters: { OTHER: "2" } });
      await s.settled();
      assert.equal((await s.instance()).status?.executions, 3);
      assert.equal((await s.instance("below")).status?.executions, 2);
    },
  },
  {
    number: 33,
    name: "a parent that names a value that its child has by default has nothing to wait for",
    async run(s) {
      await s.version("parent-1.0", {
        operator: { name: "parent" },
        version: "1.0",
        parameters: [{ name: "SAY", default: "no" }],
        templates: { "child.yaml": '{{ if eq .Params.SAY "yes" }}SIZE: "1"{{ end }}\n' },
        tasks: [
          {
            name: "child",
            kind: "KudoOperator",
            spec: {
              ...{ package: "pgmini", operatorVersion: "0.3.0", appVersion: "14.2" },
              ...{ instanceName: "below", parameterFile: "child.yaml" },
            },
          },
        ],
        plans: { deploy: plan("below: child") },
      });
      await s.version("pgmini-14.2-0.3.0", DATABASE);
      await s.create({ operatorVersion: { name: "parent-1.0" } });
      await s.settled();
      await s.edit({ parameters: { SAY: "yes" } });
      await s.settled();
      const deploy = await s.plan("deploy");
      assert.equal(`${deploy?.status} ${deploy?.execution}`, "COMPLETE 2");
      const below = await s.instance("below");
      assert.deepEqual(below.spec?.parameters, { SIZE: "1" });
      assert.equal(below.status?.executions, 1);
    },
  },
  {
    number: 33,
    name: "a child that its user made before is taken over, and goes with its parent",
    async run(s) {
      await s.version("b-1.0", lowest({ done: true }));
      await s.version("a-1.0", above("a", "b"));
      await s.create({ operatorVersion: { name: "b-1.0" } }, "a-b");
      await s.settled();
      await s.create({ operatorVersion: { name: "a-1.0" } }, "a");
      await s.settled();
      assert.equal((await s.plan("deploy", "a"))?.status, "COMPLETE");
      const { metadata, status } = await s.instance("a-b");
      assert.deepEqual(
        metadata.ownerReferences.map(({ name }) => name),
        ["a"],
      );
      assert.equal(status?.executions, 1);
      await removeAll(s);
    },
  },
];

/** The wishes of a parent for a child, where the API server asks whether it may. */
export const childrenAsked: readonly Scenario<Shop>[] = [
  {
    number: 33,
    name: "what a child refuses while it runs another plan it is given as soon as that has ended",
    async run(s) {
      await s.version("parent-1.0", {
        operator: { name: "parent" },
        version: "1.0",
        parameters: [{ name: "SIZE", default: "1" }],
        templates: { "child.yaml": "SIZE: {{ .Params.SIZE }}\n" },
        tasks: [
          {
            name: "child",
            kind: "KudoOperator",
            spec: {
              ...{ package: "pgmini", operatorVersion: "0.3.0", appVersion: "14.2" },
              ...{ instanceName: "below", parameterFile: "child.yaml" },
            },
          },
        ],
        plans: { deploy: plan("below: child") },
      });
      const database = (done: boolean): OperatorVersionSpec => ({
        ...DATABASE,
        tasks: (DATABASE.tasks ?? []).map((task) => (task.name === "copy" ? dummy("copy", { done }) : task)),
      });
      await s.version("pgmini-14.2-0.3.0", database(false));
      await s.create({ operatorVersion: { name: "parent-1.0" } });
      await s.settled();
      await s.edit({ planExecution: { planName: "backup", uid: "mine" } }, "below");
      await s.settled();
      await s.edit({ parameters: { SIZE: "2" } });
      await s.settled();
      const [step] = (await s.plan("deploy"))?.phases?.[0]?.steps ?? [];
      assert.equal(step?.status, "IN_PROGRESS");
      assert.match(
        step?.message ?? "",
        /plan 'backup' is scheduled .* would trigger a different plan 'scale'/,
      );
      await s.version("pgmini-14.2-0.3.0", database(true));
      await s.settled();
      const deploy = await s.plan("deploy");
      assert.equal(`${deploy?.status} ${deploy?.execution}`, "COMPLETE 2");
      const below = await s.instance("below");
      assert.equal(below.status?.lastSucceeded?.planName, "scale");
      assert.equal(below.status?.executions, 3);
    },
  },
];
