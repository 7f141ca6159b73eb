import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Job } from "../../../shared/kube/kinds/index.ts";
import { Instance } from "../index.ts";
import type { OperatorVersionSpec, Plan, PlanStatus } from "../kinds/index.ts";
import { apply, dummy, phase, plan, remove } from "./operators.ts";
import { SHOP, type Shop } from "./shop.ts";
import type { Stage } from "./stage.ts";

const VERSION = { operatorVersion: { name: "steps-1.0" } };

const base: OperatorVersionSpec = {
  operator: { name: "steps" },
  version: "1.0",
  parameters: [{ name: "X", default: "1" }],
  templates: {
    "one.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {x: '{{ .Params.X }}'}\n",
    "undefined.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Params.Y }}'}\n",
    "unserved.yaml":
      "apiVersion: policy/v2\nkind: PodDisruptionBudget\nmetadata: {name: thing}\nspec: {minAvailable: 1}\n",
    "foreign.yaml": "apiVersion: nobody.example.org/v1\nkind: Thing\nmetadata: {name: thing}\n",
    "job.yaml": `apiVersion: batch/v1
kind: Job
metadata:
  name: task
spec:
  backoffLimit: 0
  template:
    metadata:
      annotations: {simulator.reveille.dev/outcome: '{{ if eq .Params.X "1" }}fail{{ else }}ready{{ end }}'}
    spec:
      restartPolicy: Never
      containers: [{name: main, image: example.org/job}]
`,
  },
  tasks: [
    dummy("ok"),
    dummy("flaky", { wantErr: true }),
    dummy("broken", { wantErr: true, fatal: true }),
    apply("one", "one.yaml"),
    apply("undefined", "undefined.yaml"),
    apply("unserved", "unserved.yaml"),
    apply("foreign", "foreign.yaml"),
    remove("gone", "foreign.yaml"),
    apply("job", "job.yaml"),
  ],
};
const pictureOf = (entry: PlanStatus | undefined): string =>
  [
    entry?.status,
    ...(entry?.phases ?? []).map(({ steps }) => (steps ?? []).map(({ status }) => status).join(",")),
  ].join(" ");
const messagesOf = (entry: PlanStatus | undefined) =>
  (entry?.phases ?? []).flatMap(({ steps }) => (steps ?? []).map(({ message }) => message));
/** The cause of what the task `flaky` fails at is gone, and the run comes to its end. */
async function repaired(s: Shop, deploy: Plan): Promise<PlanStatus | undefined> {
  const tasks = (base.tasks ?? []).map((task) => (task.name === "flaky" ? dummy("flaky") : task));
  await s.version(VERSION.operatorVersion.name, { ...base, tasks, plans: { deploy } });
  await s.until("deploy is complete", async () => (await s.plan("deploy"))?.status === "COMPLETE");
  await s.settled();
  return s.plan("deploy");
}
const FATAL_IN = "Error during execution: fatal error: shop/db failed in deploy.main";

async function run(s: Shop, deploy: Plan): Promise<PlanStatus | undefined> {
  await s.version(VERSION.operatorVersion.name, { ...base, plans: { deploy } });
  await s.create(VERSION);
  await s.settled();
  return s.plan("deploy");
}

/** Steps: their order, their failures, their ends. */
export const steps: readonly Scenario<Shop>[] = [
  {
    number: 21,
    name: "a step that fails is tried again, and what comes after it waits",
    async run(s) {
      const deploy = plan("first: flaky", "second: one");
      const entry = await run(s, deploy);
      assert.equal(pictureOf(entry), "IN_PROGRESS ERROR,PENDING");
      assert.equal(entry?.phases?.[0]?.status, "IN_PROGRESS");
      assert.deepEqual(messagesOf(entry), [
        "A transient error when executing task deploy.main.first.flaky. Will retry. dummy error",
        undefined,
      ]);
      assert.equal(await s.find(ConfigMap, "one"), undefined);
      const after = await repaired(s, deploy);
      assert.equal(pictureOf(after), "COMPLETE COMPLETE,COMPLETE");
      assert.deepEqual(messagesOf(after), [undefined, undefined]);
      assert.equal(after?.uid, entry?.uid);
      assert.equal((await s.instance()).status?.executions, 1);
    },
  },
  {
    number: 22,
    name: "where phases and steps are parallel, one that fails holds up no other",
    async run(s) {
      const deploy: Plan = {
        strategy: "parallel",
        phases: [
          phase("a", "parallel", "one: flaky", "two: one"),
          phase("b", "serial", "three: flaky", "four: ok"),
          phase("c", "serial", "five: ok"),
        ],
      };
      const entry = await run(s, deploy);
      assert.equal(pictureOf(entry), "IN_PROGRESS ERROR,COMPLETE ERROR,PENDING COMPLETE");
      assert.deepEqual(
        entry?.phases?.map(({ status }) => status),
        ["IN_PROGRESS", "IN_PROGRESS", "COMPLETE"],
      );
      assert.ok((await s.find(ConfigMap, "one")) !== undefined);
      assert.equal(
        pictureOf(await repaired(s, deploy)),
        "COMPLETE COMPLETE,COMPLETE COMPLETE,COMPLETE COMPLETE",
      );
    },
  },
  {
    number: 22,
    name: "a fatal step ends its plan at once, and the rest stays as it is",
    async run(s) {
      const entry = await run(s, {
        strategy: "serial",
        phases: [
          phase("a", "parallel", "one: flaky", "two: broken", "three: ok"),
          phase("b", "serial", "four: ok"),
        ],
      });
      assert.equal(pictureOf(entry), "FATAL_ERROR ERROR,FATAL_ERROR,PENDING PENDING");
      const { spec, status } = await s.instance();
      assert.equal(spec?.planExecution, undefined);
      assert.equal(status?.conditions?.[0]?.reason, "PlanInFatalError");
    },
  },
  {
    number: 23,
    name: "an empty plan, phase and step are complete at once",
    async run(s) {
      assert.equal(pictureOf(await run(s, {})), "COMPLETE");
      await s.version("steps-2.0", {
        ...base,
        plans: { deploy: { phases: [{ name: "a" }, phase("b", "serial", "none:")] } },
      });
      await s.edit({ operatorVersion: { name: "steps-2.0" } });
      await s.settled();
      assert.equal(pictureOf(await s.plan("deploy")), "COMPLETE  COMPLETE");
    },
  },
  {
    number: 24,
    name: "what cannot be rendered is fatal, and its step says where",
    async run(s) {
      const entry = await run(s, plan("config: one", "broken: undefined"));
      assert.equal(pictureOf(entry), "FATAL_ERROR COMPLETE,FATAL_ERROR");
      assert.match(
        entry?.phases?.[0]?.steps?.[1]?.message ?? "",
        /^Error during execution: fatal error: shop\/db failed in deploy\.main\.broken\.undefined: error rendering undefined\.yaml: /,
      );
      assert.ok((await s.find(ConfigMap, "one")) !== undefined);
      assert.equal((await s.events("TaskRenderingError")).length, 1);
      assert.deepEqual(await s.events("PlanFinished"), [
        "Execution of plan deploy finished with status FATAL_ERROR",
      ]);
      assert.equal(entry?.phases?.[0]?.steps?.[1]?.attempts, undefined);
    },
  },
  {
    number: 24,
    name: "a kind that may not be brought is fatal at once",
    async run(s) {
      // There can be none of it to take away.
      const entry = await run(s, plan("none: gone", "broken: foreign", "config: one"));
      assert.equal(pictureOf(entry), "FATAL_ERROR COMPLETE,FATAL_ERROR,PENDING");
      assert.ok(messagesOf(entry)[1]?.startsWith(`${FATAL_IN}.broken.foreign: `));
      assert.equal((await s.events("ResourceValidationError")).length, 1);
    },
  },
  {
    number: 25,
    name: "a Job that fails ends its plan; repaired, it is made anew",
    async run(s) {
      const entry = await run(s, plan("job: job"));
      assert.equal(entry?.status, "FATAL_ERROR");
      const uid = (await s.find(Job, "task"))?.metadata.uid;
      await s.edit({ parameters: { X: "2" } });
      await s.settled();
      await s.until("deploy is complete", async () => (await s.plan("deploy"))?.status === "COMPLETE");
      assert.notEqual((await s.find(Job, "task"))?.metadata.uid, uid);
    },
  },
  {
    number: 25,
    name: "a Job past its deadline ends its plan; another run makes it anew, and a third leaves it alone",
    async run(s) {
      const late = (base.templates?.["job.yaml"] ?? "")
        .replace(
          "backoffLimit: 0",
          'backoffLimit: 0\n  activeDeadlineSeconds: {{ if eq .Params.X "1" }}1{{ else }}600{{ end }}',
        )
        .replace("fail{{", "hang{{");
      const templates = { ...base.templates, "job.yaml": late };
      const plans = { deploy: plan("job: job") };
      await s.version(VERSION.operatorVersion.name, { ...base, templates, plans });
      await s.create(VERSION);
      await s.until("deploy has failed", async () => (await s.plan("deploy"))?.status === "FATAL_ERROR");
      await s.settled();
      assert.match((await s.plan("deploy"))?.phases?.[0]?.steps?.[0]?.message ?? "", /job task: .*deadline/);
      const uid = (await s.find(Job, "task"))?.metadata.uid;
      const again = async (execution: string) => {
        const { executions = 0 } = (await s.instance()).status ?? {};
        await s.edit({ planExecution: { planName: "deploy", uid: execution } });
        // Admission gives it another uid.
        await s.until(`the run ${execution} to end`, async () => {
          const entry = await s.plan("deploy");
          return (
            entry?.execution === executions + 1 &&
            (entry.status === "COMPLETE" || entry.status === "FATAL_ERROR")
          );
        });
        await s.settled();
        return (await s.plan("deploy"))?.status;
      };
      const { parameters = [] } = base;
      const repaired = parameters.map((one) => ({ ...one, default: "2" }));
      await s.version(VERSION.operatorVersion.name, { ...base, parameters: repaired, templates, plans });
      assert.equal(await again("second"), "COMPLETE");
      const made = (await s.find(Job, "task"))?.metadata.uid;
      assert.notEqual(made, uid);
      assert.equal(await again("third"), "COMPLETE");
      assert.equal((await s.find(Job, "task"))?.metadata.uid, made);
    },
  },
  {
    number: 25,
    name: "a Job of another Instance is not taken for one's own, whatever came of it",
    async run(s) {
      await s.version(VERSION.operatorVersion.name, { ...base, plans: { deploy: plan("job: job") } });
      for (const [x, end] of [
        ["2", "COMPLETE"],
        ["1", "FATAL_ERROR"],
      ] as const) {
        await s.create({ ...VERSION, parameters: { X: x } }, "theirs");
        await s.settled();
        assert.equal((await s.plan("deploy", "theirs"))?.status, end);
        const job = await s.find(Job, "task");
        await s.create({ ...VERSION, parameters: { X: "2" } });
        await s.settled();
        const entry = await s.plan("deploy");
        assert.equal(entry?.status, "FATAL_ERROR");
        assert.match(messagesOf(entry)[0] ?? "", /Job shop\/task belongs to Instance theirs/);
        assert.equal((await s.find(Job, "task"))?.metadata.uid, job?.metadata.uid);
        await s.remove(Instance, { name: "theirs", namespace: SHOP });
        await s.remove(Instance, { name: "db", namespace: SHOP });
        await s.until("its Job is gone", async () => (await s.find(Job, "task")) === undefined);
        await s.settled();
      }
    },
  },
  {
    number: 25,
    name: "a Job that an Instance of the name before left behind is waited out, and made anew",
    async run(s) {
      await s.version(VERSION.operatorVersion.name, { ...base, plans: { deploy: plan("job: job") } });
      const spec = { ...VERSION, parameters: { X: "2" } };
      await s.create(spec);
      await s.settled();
      const former = (await s.find(Job, "task"))?.metadata.uid;
      await s.patch(Job, "task", { metadata: { finalizers: ["example.org/slow"] } });
      await s.remove(Instance, { name: "db", namespace: SHOP });
      await s.until("its Instance is gone", async () => (await s.list(Instance, SHOP)).length === 0);
      await s.create(spec);
      await s.settled();
      assert.equal(pictureOf(await s.plan("deploy")), "IN_PROGRESS IN_PROGRESS");
      assert.match(
        messagesOf(await s.plan("deploy"))[0] ?? "",
        /Job shop\/task belongs to the Instance db that was deleted before/,
      );
      await s.patch(Job, "task", { metadata: { finalizers: [] } });
      await s.until("deploy is complete", async () => (await s.plan("deploy"))?.status === "COMPLETE");
      assert.notEqual((await s.find(Job, "task"))?.metadata.uid, former);
      await s.settled();
    },
  },
];

/** A step whose wait lies in the past, which only an administrator can write. */
export const patience: readonly Scenario<Stage>[] = [
  {
    number: 24,
    name: "a kind that is not served is fatal after its grace",
    async run(s) {
      const entry = await run(s, plan("broken: unserved"));
      const why =
        "poddisruptionbudget thing of template unserved.yaml: the API server knows no PodDisruptionBudget of policy/v2";
      assert.equal(pictureOf(entry), "IN_PROGRESS IN_PROGRESS");
      assert.deepEqual(messagesOf(entry), [why]);
      // Half a minute is long for a test: it began to wait long ago.
      await s.stack.client.patch(
        resourceOf(Instance),
        { name: "db", namespace: SHOP },
        "json",
        [
          {
            op: "replace",
            path: "/status/planStatus/deploy/phases/0/steps/0/tasks/0/since",
            value: "2026-01-01T00:00:00Z",
          },
        ],
        { fieldManager: "user", subresource: "status" },
      );
      await s.again();
      const after = await s.plan("deploy");
      assert.equal(pictureOf(after), "FATAL_ERROR FATAL_ERROR");
      assert.deepEqual(messagesOf(after), [`${FATAL_IN}.broken.unserved: ${why}`]);
    },
  },
];
