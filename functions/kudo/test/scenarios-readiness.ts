import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { Deployment, Pod, ReplicaSet, StatefulSet } from "../../../shared/kube/kinds/index.ts";
import type { InstanceCondition, OperatorVersionSpec } from "../kinds/index.ts";
import { apply, DATABASE, dummy, plan } from "./operators.ts";
import { SHOP, type Shop } from "./shop.ts";

const VERSION = { operatorVersion: { name: "web-1.0" } };
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: example.org/web}]
`;
const FILL = `apiVersion: batch/v1
kind: Job
metadata: {name: fill}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: example.org/fill}]
`;
const web: OperatorVersionSpec = {
  operator: { name: "web" },
  version: "1.0",
  templates: { "web.yaml": WEB, "fill.yaml": FILL },
  tasks: [apply("web", "web.yaml"), apply("fill", "fill.yaml")],
  plans: { deploy: plan("web: web", "fill: fill") },
};
const INSTANCE = "kudo.dev/instance";
/** A Deployment that no template brings. */
const HELPER = { name: "helper", namespace: SHOP } as const;
const SKIP = "kudo.dev/skip-for-readiness-computation";

const readyOf = async (s: Shop): Promise<InstanceCondition | undefined> =>
  (await s.instance()).status?.conditions?.find(({ type }) => type === "Ready");
const driftedOf = async (s: Shop): Promise<string | undefined> => {
  const found = (await s.instance()).status?.conditions?.find(({ type }) => type === "Drifted");
  return found && `${found.status} ${found.reason} ${found.message}`;
};
const untilReady = (s: Shop, status: string): Promise<void> =>
  s.until(`Ready is ${status}`, async () => (await readyOf(s))?.status === status);
/** Somebody gives its pods another image, with which they come to that end. */
const image = (s: Shop, outcome: "ready" | "hang"): Promise<void> =>
  s.patch(Deployment, "web", {
    spec: {
      template: {
        metadata: { annotations: { "simulator.reveille.dev/outcome": outcome } },
        spec: { containers: [{ name: "main", image: `example.org/${outcome}` }] },
      },
    },
  });

/** The condition Ready, and ways out of what never ends. */
export const readiness: readonly Scenario<Shop>[] = [
  {
    number: 35,
    name: "what breaks while nothing runs makes it unready, and starts nothing",
    async run(s) {
      await s.version("web-1.0", web);
      await s.create(VERSION);
      await s.settled();
      assert.deepEqual(
        { ...(await readyOf(s)), lastTransitionTime: "" },
        { type: "Ready", status: "True", reason: "ResourcesReady", message: "", lastTransitionTime: "" },
      );
      // A Job's pod is never ready again.
      const pods = await s.list(Pod, SHOP);
      assert.ok(pods.some(({ status }) => status?.phase === "Succeeded"));
      await image(s, "hang");
      await untilReady(s, "False");
      const { reason, message = "" } = (await readyOf(s)) ?? {};
      assert.equal(reason, "ResourceNotReady");
      assert.match(message, /^deployment web: /);
      const skip = (value: string | null) =>
        s.patch(Deployment, "web", { metadata: { annotations: { [SKIP]: value } } });
      await skip("true");
      await s.again();
      assert.equal((await readyOf(s))?.status, "True");
      await skip(null);
      await s.again();
      assert.equal((await readyOf(s))?.status, "False");
      await image(s, "ready");
      await untilReady(s, "True");
      await s.settled();
      assert.equal((await s.instance()).status?.executions, 1);
      assert.deepEqual(await s.events("PlanStarted"), ["Execution of plan deploy started"]);
    },
  },
  {
    number: 35,
    name: "what vanishes while nothing runs is told, and deploy makes it anew",
    async run(s) {
      const fewer = { ...web, plans: { ...web.plans, backup: plan("fill: fill") } };
      await s.version("web-1.0", fewer);
      await s.create(VERSION);
      await s.settled();
      assert.equal(await driftedOf(s), undefined);
      await s.remove(Deployment, { name: "web", namespace: SHOP });
      await s.until("it is told", async () => (await driftedOf(s)) !== undefined);
      await s.settled();
      const told = "True ObjectsMissing deployment web is gone: the plan deploy makes it anew";
      assert.equal(await driftedOf(s), told);
      assert.equal((await s.instance()).status?.executions, 1);
      // A plan that brings no workload repairs nothing.
      await s.edit({ planExecution: { planName: "backup", uid: "first" } });
      await s.settled();
      assert.equal(await driftedOf(s), told);
      await s.edit({ planExecution: { planName: "deploy", uid: "second" } });
      await s.settled();
      assert.equal(await driftedOf(s), undefined);
      assert.ok((await s.find(Deployment, "web")) !== undefined);
      const { history = [] } = (await s.instance()).status ?? {};
      assert.deepEqual(
        history.map(({ execution, planName, status, operatorVersion }) => [
          ...[execution, planName, status, operatorVersion],
        ]),
        [
          [1, "deploy", "COMPLETE", "web-1.0"],
          [2, "backup", "COMPLETE", "web-1.0"],
          [3, "deploy", "COMPLETE", "web-1.0"],
        ],
      );
    },
  },
  {
    number: 35,
    name: "the pods of a ReplicaSet that a template brings count too",
    async run(s) {
      const set = WEB.replace("Deployment", "ReplicaSet").replace("spec:", "spec:\n  replicas: 1");
      await s.version("web-1.0", {
        ...{
          ...web,
          templates: {
            "web.yaml": set.replace(
              "labels: {app: web}}",
              "labels: {app: web}, annotations: {simulator.reveille.dev/outcome: hang}}",
            ),
          },
        },
        tasks: [apply("web", "web.yaml")],
        plans: { deploy: plan("web: web") },
      });
      await s.create(VERSION);
      await untilReady(s, "False");
      await s.settled();
      assert.equal((await readyOf(s))?.message, "replicaset web: 0 of 1 pods available");
      assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
      await s.patch(ReplicaSet, "web", { spec: { replicas: 0 } });
      await untilReady(s, "True");
      await s.settled();
    },
  },
  {
    number: 35,
    name: "a workload of somebody else's that bears its labels counts too, as long as it does",
    async run(s) {
      await s.version("web-1.0", web);
      await s.create(VERSION);
      await s.settled();
      const labels = { heritage: "kudo", [INSTANCE]: "db" };
      const helper = (outcome: string) => ({
        spec: {
          selector: { matchLabels: { app: "helper" } },
          template: {
            metadata: {
              labels: { ...labels, app: "helper" },
              annotations: { "simulator.reveille.dev/outcome": outcome },
            },
            spec: { containers: [{ name: "main", image: `example.org/${outcome}` }] },
          },
        },
      });
      await s.put(Deployment, { ...HELPER, labels }, helper("hang"));
      await untilReady(s, "False");
      // It tells of the pod that it made.
      assert.match((await readyOf(s))?.message ?? "", /^deployment helper: 0 of 1 pods available(?!.*, pod)/);
      await s.patch(Deployment, HELPER.name, { metadata: { labels: { [INSTANCE]: null } } });
      await untilReady(s, "True");
      await s.remove(Deployment, HELPER);
      // One that it applied itself counts without them.
      await s.patch(Deployment, "web", { metadata: { labels: { [INSTANCE]: null } } });
      await image(s, "hang");
      await untilReady(s, "False");
      assert.equal(await driftedOf(s), undefined);
      await image(s, "ready");
      await untilReady(s, "True");
      await s.settled();
    },
  },
  {
    number: 36,
    name: "a run that never ends is given up on request, and the next change is taken",
    async run(s) {
      const never = { ...DATABASE, tasks: [...(DATABASE.tasks ?? []), dummy("never", { done: false })] };
      const plans = { ...DATABASE.plans, deploy: plan("config: config", "wait: never") };
      await s.version("web-1.0", { ...never, plans });
      await s.create(VERSION);
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "IN_PROGRESS");
      await s.edit({ planExecution: { planName: "", uid: "", status: "NEVER_RUN", force: true } });
      await s.settled();
      const { spec, status } = await s.instance();
      const { deploy } = status?.planStatus ?? {};
      assert.equal(`${deploy?.status} ${deploy?.message}`, "FATAL_ERROR abandoned");
      assert.equal(spec?.planExecution, undefined);
      const ready = await readyOf(s);
      assert.equal(
        `${ready?.status} ${ready?.reason} ${ready?.message}`,
        "Unknown PlanInFatalError abandoned",
      );
      assert.deepEqual(await s.events("PlanFinished"), [
        "Execution of plan deploy finished with status FATAL_ERROR",
      ]);
      await s.edit({ parameters: { SIZE: "2" } });
      await s.settled();
      assert.equal((await s.plan("scale"))?.status, "COMPLETE");
    },
  },
  {
    number: 36,
    name: "a run gives way by force to another plan",
    async run(s) {
      const never = { ...DATABASE, tasks: [...(DATABASE.tasks ?? []), dummy("never", { done: false })] };
      await s.version("web-1.0", { ...never, plans: { ...DATABASE.plans, deploy: plan("wait: never") } });
      await s.create(VERSION);
      await s.settled();
      await s.edit({ planExecution: { planName: "backup", uid: "mine", force: true } });
      await s.settled();
      const { deploy, backup } = (await s.instance()).status?.planStatus ?? {};
      assert.equal(`${deploy?.status} ${deploy?.message}`, "FATAL_ERROR superseded");
      assert.equal(backup?.status, "COMPLETE");
    },
  },
  {
    number: 36,
    name: "what the API server refuses three times is fatal, and the next change is taken",
    async run(s) {
      const nodes = (DATABASE.templates?.["nodes.yaml"] ?? "").replace(
        "serviceName: {{ .Name }}",
        "serviceName: {{ .Params.COLOR }}",
      );
      await s.version("web-1.0", { ...DATABASE, templates: { ...DATABASE.templates, "nodes.yaml": nodes } });
      await s.create(VERSION);
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
      await s.edit({ parameters: { COLOR: "blue" } });
      await s.until("deploy has failed", async () => (await s.plan("deploy"))?.status === "FATAL_ERROR");
      await s.settled();
      const step = (await s.plan("deploy"))?.phases?.[0]?.steps?.[1];
      assert.match(
        step?.message ?? "",
        /^Error during execution: fatal error: shop\/db failed in deploy\.main\.nodes\.nodes: statefulset db: .*(forbidden|immutable)/is,
      );
      assert.equal((await s.events("ResourceValidationError")).length, 1);
      assert.equal((await readyOf(s))?.reason, "PlanInFatalError");
      await s.edit({ parameters: { COLOR: "red" } });
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
      assert.equal((await readyOf(s))?.status, "True");
      assert.ok((await s.find(StatefulSet, "db")) !== undefined);
    },
  },
];
