import { type Effects, inOrder, own, remove } from "../../../../shared/function/index.ts";
import { ConfigMap, Deployment, Service } from "../../../../shared/kube/kinds/index.ts";
import { isOwnedBy } from "../../../../shared/kube/objects.ts";
import type { Configuration } from "../../configuration.ts";
import type { Platform } from "../../kinds/index.ts";
import { conditionOf, isReady, type Verdict, verdict } from "../objects/conditions.ts";
import { deploymentHealth } from "../objects/deployment-health.ts";
import { serviceObjects } from "./service-objects.ts";
import { objectNameOf, SERVICES, type ServiceName, settingsOf, suffixOf } from "./services.ts";

/** The objects of a service that were read: for one that the platform has its Deployment, for one that it had all three. */
export interface LiveService {
  readonly platform: Platform;
  readonly service: ServiceName;
  readonly deployment: Deployment | undefined;
  readonly leftovers?: { readonly configMap: ConfigMap | undefined; readonly service: Service | undefined };
}

export type ServiceCondition = "DataIndexSucceed" | "JobsServiceSucceed";
const CONDITION = { dataIndex: "DataIndexSucceed", jobService: "JobsServiceSucceed" } as const;
export const conditionTypeOf = (service: ServiceName): ServiceCondition => CONDITION[service];

type PlatformEffects = Effects<"ConfigMap" | "Deployment" | "Service">;

/** The plan for one service of a platform, and its condition if that goes well. */
export interface ServicePlan {
  readonly service: ServiceName;
  readonly effects: PlatformEffects;
  /** Undefined: the condition goes. */
  readonly health: Verdict | undefined;
  /** The reason why nothing can be deployed, though it should be. */
  readonly problem?: string;
  /** True where its condition is stored before anything is made, so that every made object is found again. */
  readonly announce?: boolean;
}

/**
 * True where a service that the platform does not have (any more) may have objects: its condition says so, or nobody of ours has
 * looked yet.
 */
export const mayHaveLeftovers = (platform: Platform, service: ServiceName): boolean =>
  settingsOf(platform, service) === undefined &&
  (conditionOf(platform, conditionTypeOf(service)) !== undefined || platform.status?.info?.engine !== ENGINE);
export const ENGINE = "reveille";

/** The plans of a platform that is active or secondary for its services; a duplicate keeps its objects and does nothing. */
export function servicePlans(
  platform: Platform,
  live: readonly LiveService[],
  duplicate: boolean,
  config: Configuration,
): readonly ServicePlan[] {
  return SERVICES.flatMap((service): ServicePlan[] => {
    const found = live.find((one) => one.platform === platform && one.service === service);
    const stored = conditionOf(platform, conditionTypeOf(service));
    if (duplicate)
      return stored === undefined
        ? []
        : [{ service, effects: [], health: verdict(stored.status, stored.reason, stored.message) }];
    if (settingsOf(platform, service) === undefined)
      return [{ service, effects: found === undefined ? [] : removal(platform, found), health: undefined }];
    const objects = serviceObjects(platform, service, config);
    if ("problem" in objects)
      return [
        {
          service,
          effects: [],
          health: verdict("False", "Failure", objects.problem),
          problem: objects.problem,
        },
      ];
    if (stored === undefined)
      return [{ service, effects: [], health: verdict("Unknown", "Creating"), announce: true }];
    return [
      {
        service,
        effects: inOrder(own(platform, ConfigMap, objects.configMap, FORCE), [
          own(platform, Deployment, objects.deployment, FORCE),
          own(platform, Service, objects.service, FORCE),
        ]),
        health: deploymentHealth(found?.deployment),
      },
    ];
  });
}
// What the platform says counts; who wants it otherwise says so in the platform.
const FORCE = { force: true };

const removal = (platform: Platform, { deployment, leftovers }: LiveService): PlatformEffects => {
  const mine = <O extends Deployment | Service | ConfigMap>(object: O | undefined): O[] =>
    object !== undefined && isOwnedBy(platform, object) ? [object] : [];
  return [
    ...mine(deployment).map((object) => remove(Deployment, object)),
    ...mine(leftovers?.service).map((object) => remove(Service, object)),
    ...mine(leftovers?.configMap).map((object) => remove(ConfigMap, object)),
  ];
};

/** Names of a service's three objects. */
export const namesOf = (platform: Platform, service: ServiceName) => {
  const name = objectNameOf(platform.metadata.name, service);
  return { deployment: name, service: name, configMap: `${name}-props` };
};

/** The top-level condition of a platform before its effects are known (2.3). */
export function platformVerdict(
  platform: Platform,
  plans: readonly ServicePlan[],
  duplicate: boolean,
): Verdict {
  if (duplicate) return verdict("False", "Duplicated");
  const problems = plans.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) return verdict("False", "Failure", problems.join("; "));
  const announced = plans.some(({ announce }) => announce === true);
  return announced && !isReady(platform) ? verdict("False", "Creating") : verdict("True");
}

/** The same, once an effect failed for good. */
export const failureVerdict = (service: ServiceName, message: string): Verdict =>
  verdict("False", "Failure", `${suffixOf(service)}: ${message}`);
