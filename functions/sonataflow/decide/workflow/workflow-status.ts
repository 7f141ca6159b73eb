import type { EffectError, Time } from "../../../../shared/function/index.ts";
import type { Workflow } from "../../kinds/index.ts";
import { conditionOf, conditionsFor, type Verdict, verdict } from "../objects/conditions.ts";
import { deploymentHealth } from "../objects/deployment-health.ts";
import { workflowUrl } from "./managed-properties.ts";
import type { WorkflowPlan } from "./workflow-plan.ts";

type Status = NonNullable<Workflow["status"]>;

const BUILT: Verdict = verdict(
  "False",
  "BuildSkipped",
  "Images are not built here: the workflow brings its own.",
);

/** The verdict `Running` of a plan, if its effects go well (2.4). */
function runningVerdict(self: Workflow, plan: WorkflowPlan): Verdict {
  const place = `${self.metadata.namespace}`;
  switch (plan.state) {
    case "no platform":
      return verdict(
        "False",
        "WaitingForPlatform",
        plan.create
          ? `Namespace ${place} has no active SonataFlowPlatform; an empty one is made.`
          : (plan.taken ?? `Namespace ${place} has no active SonataFlowPlatform and is being deleted.`),
      );
    case "platform not initialised":
      return verdict(
        "False",
        "WaitingForPlatform",
        `SonataFlowPlatform ${plan.platform.metadata.name} is not initialised yet.`,
      );
    case "ConfigMap missing":
      return verdict(
        "False",
        "ExternalResourcesNotFound",
        plan.missing
          .map(
            ({ name, key }) =>
              `ConfigMap ${place}/${name} with key ${key}, named by SonataFlowPlatform ${plan.platform.metadata.name}, does not exist.`,
          )
          .join(" "),
      );
    case "no image":
      return plan.profile === "preview"
        ? verdict(
            "False",
            "WaitingForBuild",
            "Images are not built here: set spec.podTemplate.container.image, and the annotation sonataflow.org/profile to gitops.",
          )
        : verdict(
            "False",
            "WaitingForDeployment",
            "There is no image to run: set spec.podTemplate.container.image.",
          );
    case "knative":
      return verdict(
        "False",
        "DeploymentFailure",
        "The deployment model knative is not served: set spec.podTemplate.deploymentModel to kubernetes.",
      );
    case "held back":
      return verdict(
        "False",
        "DeploymentFailure",
        `Deployment ${place}/${self.metadata.name} is paused: its changed configuration is rolled out when it is resumed.`,
      );
    case "deploy":
      return deploymentHealth(plan.input.live);
  }
}

/** The status of a workflow after its effects; `failed` is the first that failed. */
export function workflowStatus(
  self: Workflow,
  plan: WorkflowPlan,
  failed: EffectError | undefined,
  now: Time,
): Status {
  const settled = "profile" in plan ? plan : undefined;
  const { platform, services } =
    settled === undefined ? { platform: undefined, services: self.status?.services } : settled;
  const local = platform ?? ("platform" in plan ? plan.platform : undefined);
  const said = failed === undefined ? runningVerdict(self, plan) : failureVerdict(self, failed);
  const deployed = settled?.state === "deploy" || settled?.state === "held back";
  return {
    observedGeneration: self.metadata.generation,
    conditions: conditionsFor(self, { Built: BUILT, Running: said }, now),
    ...(local !== undefined && {
      platform: { name: local.metadata.name, namespace: local.metadata.namespace },
    }),
    ...(services !== undefined && { services }),
    ...(deployed && { endpoint: workflowUrl(self), address: { url: workflowUrl(self) } }),
  };
}

/** The status where the run failed as a whole: what holds is unknown, so that only the message changes. */
export const failedWorkflow = (self: Workflow, message: string, now: Time): Status => {
  const { status = "False", reason = "DeploymentFailure" } = conditionOf(self, "Running") ?? {};
  const running = verdict(status, reason, message);
  return {
    ...self.status,
    observedGeneration: self.metadata.generation,
    conditions: conditionsFor(self, { Built: BUILT, Running: running }, now),
  };
};

/** The verdict of a failure: one that may pass leaves the condition as it is stored; one that may not says why. */
function failureVerdict(self: Workflow, { message, retryable }: EffectError): Verdict {
  const stored = conditionOf(self, "Running");
  if (!retryable) return verdict("False", "DeploymentFailure", message);
  return stored === undefined
    ? verdict("False", "WaitingForDeployment", message)
    : verdict(stored.status, stored.reason, stored.message);
}
