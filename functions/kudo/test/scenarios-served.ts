import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { defineKind } from "../../../shared/function/index.ts";
import { Deployment } from "../../../shared/kube/kinds/index.ts";
import type { OperatorVersionSpec } from "../kinds/index.ts";
import { apply, plan, remove } from "./operators.ts";
import type { Stage } from "./stage.ts";

/** The budget, as a user sees it. */
class Budget extends defineKind({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  scope: "Namespaced",
  external: true,
  fields: {},
}) {}

const OLD: OperatorVersionSpec = {
  operator: { name: "old" },
  version: "1.0",
  templates: {
    "budget.yaml": `apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: guard}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
`,
    "web.yaml": `apiVersion: extensions/v1beta1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: example.org/web}]}
`,
    "all.yaml": `apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: nobody}
spec: {minAvailable: 1, selector: {}}
`,
    "secure.yaml": "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: tight}\nspec: {}\n",
    "role.yaml":
      "apiVersion: rbac.authorization.k8s.io/v1beta1\nkind: Role\nmetadata: {name: reader}\nrules: []\n",
  },
  tasks: [
    apply("budget", "budget.yaml", "web.yaml"),
    remove("open", "budget.yaml", "secure.yaml"),
    apply("all", "all.yaml"),
    apply("secure", "secure.yaml"),
    apply("role", "role.yaml"),
  ],
};
const run = async (s: Stage, plans: OperatorVersionSpec["plans"]): Promise<void> => {
  await s.version("old-1.0", { ...OLD, plans });
  await s.create({ operatorVersion: { name: "old-1.0" } });
  await s.settled();
};
const stops = (name: string, task: string, message: RegExp): Scenario<Stage> => ({
  number: 24,
  name,
  async run(s) {
    await run(s, { deploy: plan(`broken: ${task}`) });
    const entry = await s.plan("deploy");
    assert.equal(entry?.status, "FATAL_ERROR");
    assert.match(entry.phases?.[0]?.steps?.[0]?.message ?? "", message);
    assert.equal((await s.events("ResourceValidationError")).length, 1);
  },
});

/** Objects of API versions that the server no longer has. */
export const served: readonly Scenario<Stage>[] = [
  {
    number: 24,
    name: "an object of a dropped API version is applied in its present one, with a Warning",
    async run(s) {
      await run(s, { deploy: plan("open: budget"), close: plan("close: open") });
      assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
      assert.ok((await s.find(Budget, "guard")) !== undefined);
      assert.deepEqual((await s.find(Deployment, "web"))?.spec, {
        ...((await s.find(Deployment, "web"))?.spec as object),
        selector: { matchLabels: { app: "web" } },
      });
      const why = (object: string, template: string, from: string, to: string): string =>
        `${object} of template ${template}: the API server no longer knows it of ${from}, so it is applied as ${to}`;
      assert.deepEqual(await s.events("ObsoleteAPIVersion"), [
        why("deployment web", "web.yaml", "extensions/v1beta1", "apps/v1"),
        why("poddisruptionbudget guard", "budget.yaml", "policy/v1beta1", "policy/v1"),
      ]);

      await s.edit({ planExecution: { planName: "close", uid: "by-hand", status: "NEVER_RUN" } });
      await s.settled();
      assert.equal((await s.plan("close"))?.status, "COMPLETE");
      assert.equal(await s.find(Budget, "guard"), undefined);
    },
  },
  stops(
    "what has no place in the present version is fatal at once",
    "all",
    /broken\.all: poddisruptionbudget nobody of template all\.yaml: the API server no longer knows PodDisruptionBudget of policy\/v1beta1, and policy\/v1 has no place for an empty spec\.selector, /,
  ),
  stops(
    "a kind without a present version is fatal at once",
    "secure",
    /broken\.secure: podsecuritypolicy tight of template secure\.yaml: the API server no longer knows PodSecurityPolicy of policy\/v1beta1, which has no successor since Kubernetes 1\.25$/,
  ),
  stops(
    "a present version that may not be brought is fatal at once",
    "role",
    /broken\.role: kudo-instances may not touch Role of rbac\.authorization\.k8s\.io\/v1 as templated/,
  ),
];
