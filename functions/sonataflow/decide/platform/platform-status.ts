import type { EffectError, Results, Time } from "../../../../shared/function/index.ts";
import type { Configuration } from "../../configuration.ts";
import type { Platform } from "../../kinds/index.ts";
import { conditionOf, conditionsFor, type Verdict, verdict } from "../objects/conditions.ts";
import { LANGUAGE_VERSION } from "./cluster-platform-status.ts";
import {
  conditionTypeOf,
  ENGINE,
  failureVerdict,
  type ServiceCondition,
  type ServicePlan,
} from "./platform-plan.ts";

type Status = NonNullable<Platform["status"]>;

/** Everything that the status of one platform follows from, but for how its effects went. */
export interface PlatformDecision {
  readonly platform: Platform;
  readonly said: Verdict;
  readonly plans: readonly ServicePlan[];
  readonly reference: Status["clusterPlatformRef"];
  /** The digest of what workflows take from its spec. */
  readonly settings: string | undefined;
}

/** The status of a platform after its effects. What may succeed later leaves the top-level condition as it is stored. */
export function platformStatus(
  { platform, said, plans, reference, settings }: PlatformDecision,
  results: Results,
  config: Configuration,
  now: Time,
): Status {
  const failures = plans.flatMap((plan) =>
    results.within(plan.effects).failed.map(({ error }) => ({ plan, error })),
  );
  const final = failures.find(({ error }) => !error.retryable);
  const services = Object.fromEntries(
    plans.map((plan) => [conditionTypeOf(plan.service), healthOf(plan, failures)]),
  );
  const stored = conditionOf(platform, "Succeed");
  const pending = stored === undefined ? verdict("False", "Creating") : asVerdict(stored);
  const succeed =
    final !== undefined
      ? failureVerdict(final.plan.service, final.error.message)
      : failures.length > 0
        ? pending
        : said;
  return {
    cluster: config.cluster,
    version: LANGUAGE_VERSION,
    observedGeneration: platform.metadata.generation,
    info: { engine: ENGINE, ...(settings !== undefined && { workflowSettings: settings }) },
    conditions: conditionsFor(platform, { Succeed: succeed, ...services }, now),
    ...(reference !== undefined && { clusterPlatformRef: reference }),
  };
}

const asVerdict = ({ status, reason, message }: Partial<Verdict> & Pick<Verdict, "status">): Verdict =>
  verdict(status, reason, message);

type Failure = { readonly plan: ServicePlan; readonly error: EffectError };
const healthOf = (plan: ServicePlan, failures: readonly Failure[]): Verdict | undefined => {
  const failure = failures.find((one) => one.plan === plan);
  return failure === undefined ? plan.health : verdict("False", "DeploymentFailure", failure.error.message);
};

/** The status where the run failed as a whole: all but the top-level condition stays. */
export const failedStatus = (platform: Platform, message: string, now: Time): Status => {
  const stored = (type: ServiceCondition): Partial<Record<ServiceCondition, Verdict>> => {
    const condition = conditionOf(platform, type);
    return condition === undefined ? {} : { [type]: asVerdict(condition) };
  };
  const services = { ...stored("DataIndexSucceed"), ...stored("JobsServiceSucceed") };
  return {
    ...platform.status,
    observedGeneration: platform.metadata.generation,
    conditions: conditionsFor(platform, { Succeed: verdict("False", "Failure", message), ...services }, now),
  };
};
