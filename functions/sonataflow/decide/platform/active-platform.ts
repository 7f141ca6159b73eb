import { type Duration, milliseconds, since, type Time } from "../../../../shared/function/index.ts";
import { isDeleting, oldest } from "../../../../shared/kube/objects.ts";
import type { ClusterPlatform, Platform } from "../../kinds/index.ts";
import { conditionOf, isReady } from "../objects/conditions.ts";
import { isSecondary } from "../objects/ownership.ts";

/** The place of a platform. */
export interface PlatformRef {
  readonly name: string;
  readonly namespace: string;
}
export const isAt = (platform: Platform, ref: PlatformRef | undefined): boolean =>
  platform.metadata.name === ref?.name && platform.metadata.namespace === ref.namespace;

/** The platform that a cluster platform points at, among those that were read. */
export const targetOf = (cluster: ClusterPlatform, platforms: readonly Platform[]): Platform | undefined =>
  platforms.find((platform) => isAt(platform, cluster.spec?.platformRef));

/** The platforms that compete for the role of the active one. */
export const candidatesOf = <O extends ClusterPlatform | Platform>(objects: readonly O[]): readonly O[] =>
  objects.filter((object) => !isSecondary(object) && !isDeleting(object));

/** The end of the grace of a platform that is not ready; undefined where it has none (5.18). */
export function graceEnd(target: Platform | undefined, grace: Duration, now: Time): Time | undefined {
  const since_ = conditionOf(target, "Succeed")?.lastUpdateTime;
  const length = milliseconds(grace);
  if (target === undefined || isReady(target) || length === 0 || since_ === undefined) return undefined;
  return since(since_, now) < length ? new Date(Date.parse(since_) + length).toISOString() : undefined;
}

/**
 * True where the platform was refused a change while its earlier deployment goes on: it failed, and its services have conditions.
 * A departure from upstream, where one refused edit takes the services away from every namespace.
 */
export const stillServes = (platform: Platform | undefined): boolean =>
  conditionOf(platform, "Succeed")?.reason === "Failure" &&
  (conditionOf(platform, "DataIndexSucceed") ?? conditionOf(platform, "JobsServiceSucceed")) !== undefined;

/**
 * The active cluster platform: an incumbent that is still eligible, else the oldest that is. Eligible is whose platform
 * exists and is ready; an incumbent keeps the role while its platform, not ready, is within the grace period or still serves.
 * Everybody who asks computes it, so that nobody trusts two stored Trues.
 */
export function activeOf(
  clusters: readonly ClusterPlatform[],
  platforms: readonly Platform[],
  grace: Duration,
  now: Time,
): ClusterPlatform | undefined {
  const eligible = candidatesOf(clusters).filter((cluster) => {
    const target = targetOf(cluster, platforms);
    const isKept = stillServes(target) || graceEnd(target, grace, now) !== undefined;
    return isReady(target) || (isReady(cluster) && isKept);
  });
  return oldest(eligible.filter(isReady)) ?? oldest(eligible);
}

/** The active platform of a namespace: one that is ready stays it, else the oldest. */
export function localOf(platforms: readonly Platform[]): Platform | undefined {
  const candidates = candidatesOf(platforms);
  return oldest(candidates.filter(isReady)) ?? oldest(candidates);
}

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
/** The platforms that cluster platforms point at, each once; names that no object can have are left out. */
export function referencedBy(clusters: readonly ClusterPlatform[]): readonly PlatformRef[] {
  const refs = clusters.flatMap(({ spec }) => spec?.platformRef ?? []);
  const valid = refs.filter(({ name, namespace }) => NAME.test(name) && NAME.test(namespace));
  return [...new Map(valid.map((ref) => [`${ref.namespace}/${ref.name}`, ref])).values()];
}
