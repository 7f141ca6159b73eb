import type { Time, Wait } from "../../../../shared/function/index.ts";
import { waitFor } from "../../../../shared/function/waits.ts";
import type { ConfigMap, Deployment, Namespace } from "../../../../shared/kube/kinds/index.ts";
import { byAge, isDeleting, isOwnedBy } from "../../../../shared/kube/objects.ts";
import type { Configuration } from "../../configuration.ts";
import { OPERATOR_ID } from "../../kinds/annotations.ts";
import type { Platform, ServiceRefs, Workflow } from "../../kinds/index.ts";
import { conditionOf } from "../objects/conditions.ts";
import { propertiesFile } from "../objects/properties-file.ts";
import { type FlowProperties, flowProperties } from "../platform/flow-properties.ts";
import { effectiveServices } from "../platform/services.ts";
import { managedProperties, USER_FILE } from "./managed-properties.ts";
import { type Profile, profileOf } from "./profile.ts";
import {
  databaseOfWorkflow,
  isHeldBack,
  WORKFLOW_CONTAINER,
  type WorkflowInput,
} from "./workflow-objects.ts";

/** The objects that were read for one workflow. */
export interface WorkflowWorld {
  readonly self: Workflow;
  /** The active platform of its namespace. */
  readonly platform: Platform | undefined;
  /** A platform of the name that an empty one would get, where none is active: why it is not. */
  readonly taken: string | undefined;
  /** Read only where there is no platform. */
  readonly namespace: Namespace | undefined;
  readonly userProperties: ConfigMap | undefined;
  readonly deployment: Deployment | undefined;
  /** The ConfigMaps that the platform's properties name. */
  readonly configMaps: ReadonlyMap<string, ConfigMap | undefined>;
  /** Workflows of the same name everywhere, where it uses the cluster's Data Index. */
  readonly namesakes: readonly Namesake[];
}

/** The things that are missing before anything can be made of a workflow, or all that its objects follow from. */
export type WorkflowPlan =
  | { readonly state: "no platform"; readonly create: boolean; readonly taken?: string }
  | { readonly state: "platform not initialised"; readonly platform: Platform }
  | {
      readonly state: "ConfigMap missing";
      readonly platform: Platform;
      readonly missing: FlowProperties["missing"];
    }
  | {
      readonly state: "deploy" | "no image" | "knative" | "held back";
      readonly platform: Platform;
      readonly profile: Profile;
      readonly services: ServiceRefs | undefined;
      readonly input: WorkflowInput;
    };

/**
 * True where the platform's status tells what an earlier spec used of the cluster: what the workflow uses is known only when it
 * has caught up, and to go on without would roll out twice. Where the spec has services, it alone says which.
 */
export const lagsBehind = (platform: Platform | undefined): platform is Platform =>
  platform !== undefined &&
  conditionOf(platform, "Succeed") !== undefined &&
  platform.spec?.services === undefined &&
  !isDeleting(platform) &&
  platform.status?.observedGeneration !== platform.metadata.generation;

/** Decides from one snapshot; properties, environment and status all come from it (5.5). */
export function planWorkflow(world: WorkflowWorld, now: Time, config: Configuration): WorkflowPlan {
  const { self, platform, namespace } = world;
  if (platform === undefined && world.taken !== undefined)
    return { state: "no platform", create: false, taken: world.taken };
  if (platform === undefined)
    return {
      state: "no platform",
      create: namespace !== undefined && namespace.status?.phase !== "Terminating",
    };
  // Until its status is first written it is not known what the cluster shares: waiting spares a roll-out.
  if (conditionOf(platform, "Succeed") === undefined) return { state: "platform not initialised", platform };
  const flow = flowProperties(platform, world.configMaps);
  if (flow.missing.length > 0) return { state: "ConfigMap missing", platform, missing: flow.missing };
  const profile = profileOf(self);
  const services = effectiveServices(platform, profile === "dev");
  const database = databaseOfWorkflow(self, platform, profile);
  const managed = managedProperties({
    workflow: self,
    profile,
    flow: flow.properties,
    services,
    persistent: database !== undefined,
    config,
  });
  const live =
    world.deployment !== undefined && isOwnedBy(self, world.deployment) ? world.deployment : undefined;
  const input: WorkflowInput = {
    workflow: self,
    platform,
    profile,
    database,
    flowEnv: flow.env,
    userText: world.userProperties?.data?.[USER_FILE] ?? "",
    managedText: propertiesFile(managed),
    live,
    image: self.spec?.podTemplate?.container?.image || builtBefore(live),
    now,
  };
  return { state: stateOf(self, input), platform, profile, services, input };
}

function stateOf({ spec }: Workflow, input: WorkflowInput): "deploy" | "no image" | "knative" | "held back" {
  if (spec?.podTemplate?.deploymentModel === "knative") return "knative";
  if (input.image === undefined) return "no image";
  return isHeldBack(input) ? "held back" : "deploy";
}

/**
 * The image that a running Deployment of the workflow has where its spec names none: the operator before built it, and it is kept for
 * as long as the Deployment is there.
 */
const builtBefore = (live: Deployment | undefined): string | undefined =>
  live?.spec?.template?.spec?.containers?.find(({ name }) => name === WORKFLOW_CONTAINER)?.image || undefined;

/** The waits of a plan, with the objects whose change ends them. */
export function waitsOf({ metadata: { namespace } }: Workflow, plan: WorkflowPlan): readonly Wait[] {
  switch (plan.state) {
    case "no platform":
      return plan.create || plan.taken !== undefined
        ? [{ for: `an active SonataFlowPlatform in namespace ${namespace}` }]
        : [];
    case "platform not initialised":
      return [waitFor(plan.platform, "be initialised")];
    case "ConfigMap missing":
      return plan.missing.map(({ name, key }) => ({
        for: `ConfigMap ${namespace}/${name} with key ${key}`,
        object: { apiVersion: "v1", kind: "ConfigMap", name, namespace },
      }));
    default:
      return [];
  }
}

/** The address of the Data Index that a workflow says it uses. */
export const dataIndexOf = ({ status }: Pick<Workflow, "status">): string | undefined =>
  status?.services?.dataIndexRef?.url;

/** The part of a workflow that counts for others of its name, of which there may be very many. */
export interface Namesake extends Pick<Workflow, "apiVersion" | "kind"> {
  readonly metadata: Pick<
    Workflow["metadata"],
    "name" | "namespace" | "uid" | "creationTimestamp" | "annotations"
  >;
  /** The address of the Data Index that it says it uses. */
  readonly dataIndex: string | undefined;
}

export function namesakeOf(workflow: Workflow): Namesake {
  const { apiVersion, kind, metadata } = workflow;
  const { name, namespace, uid, creationTimestamp } = metadata;
  const operator = metadata.annotations[OPERATOR_ID];
  const annotations: Namesake["metadata"]["annotations"] =
    operator === undefined ? {} : { [OPERATOR_ID]: operator };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, creationTimestamp, annotations },
    dataIndex: dataIndexOf(workflow),
  };
}

/** A workflow that a Data Index cannot tell from an older one of its name. */
export interface Duplicate {
  readonly workflow: Omit<Namesake, "dataIndex">;
  /** The namespace of the oldest one. */
  readonly oldest: string;
}

/**
 * The workflows of a name that share a Data Index and are to be warned: it cannot tell them apart (5.21). It is the younger one that is
 * warned, so that the same world always tells the same one. Each warns itself; the oldest warns all others, since they may have looked
 * before it came. So of two that take up an index at once, the one that looks last sees both, and no change of one wakes the others.
 */
export function duplicatesOf(
  self: Workflow,
  namesakes: readonly Namesake[],
  url: string | undefined,
): readonly Duplicate[] {
  if (url === undefined) return [];
  const others = namesakes
    .filter((other) => other.metadata.namespace !== self.metadata.namespace && other.dataIndex === url)
    .toSorted(byAge);
  const [first] = others;
  if (first === undefined) return [];
  return byAge(first, self) < 0
    ? [{ workflow: self, oldest: first.metadata.namespace }]
    : others.map((workflow) => ({ workflow, oldest: self.metadata.namespace }));
}
