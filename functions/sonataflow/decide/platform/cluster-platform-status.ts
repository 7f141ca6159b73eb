import type { Duration, Time } from "../../../../shared/function/index.ts";
import type { ClusterPlatform, Platform } from "../../kinds/index.ts";
import { conditionOf, conditionsFor, isReady, type Verdict, verdict } from "../objects/conditions.ts";
import { isSecondary } from "../objects/ownership.ts";
import { activeOf, graceEnd, stillServes, targetOf } from "./active-platform.ts";

/** The version of the workflow language that is served. */
export const LANGUAGE_VERSION = "0.8";

const STARTING = new Set(["Creating", "Warming"]);

/** The verdict of a cluster platform's own platform, whichever one is active (2.2). */
function ownVerdict(cluster: ClusterPlatform, target: Platform | undefined): Verdict {
  const ref = cluster.spec?.platformRef;
  if (ref === undefined)
    return verdict("False", "PlatformNotFound", "spec.platformRef is not set: name a SonataFlowPlatform.");
  if (target === undefined)
    return verdict(
      "False",
      "PlatformNotFound",
      `${ref.name} platform does not exist in ${ref.namespace} namespace.`,
    );
  const said = saidOf(target);
  if (isReady(target)) return verdict("True", "", `${said} is ready`);
  const { status = "Unknown", reason = "" } = conditionOf(target, "Succeed") ?? {};
  return status === "Unknown" || STARTING.has(reason)
    ? verdict("Unknown", "Warming", `Waiting for r${said.slice(1)} to be ready`)
    : verdict("False", "Failure", `${said} not ready`);
}

const saidOf = ({ metadata: { namespace, name } }: Platform): string =>
  `Referenced SonataFlowPlatform '${namespace}/${name}'`;

/** One cluster platform, what is to be stored of it, and whether that says something new. */
export interface ClusterRow {
  readonly cluster: ClusterPlatform;
  readonly said: Verdict;
  readonly status: NonNullable<ClusterPlatform["status"]>;
}

/** The statuses of all cluster platforms, the losers before the winner, and when the winner's grace ends. */
export function clusterRows(
  clusters: readonly ClusterPlatform[],
  platforms: readonly Platform[],
  grace: Duration,
  now: Time,
): { readonly rows: readonly ClusterRow[]; readonly graceEnds: Time | undefined } {
  const winner = activeOf(clusters, platforms, grace, now);
  const graceEnds = winner && graceEnd(targetOf(winner, platforms), grace, now);
  const verdictOf = (cluster: ClusterPlatform): Verdict => {
    if (winner !== undefined && cluster !== winner && !isSecondary(cluster))
      return verdict(
        "False",
        "Duplicated",
        `SonataFlowClusterPlatform '${winner.metadata.name}' is already active`,
      );
    const target = targetOf(cluster, platforms);
    if (cluster === winner && target !== undefined && !isReady(target) && stillServes(target))
      return verdict(
        "True",
        "",
        `${saidOf(target)} not ready: its status says why; what it deployed stays in use`,
      );
    const stored = conditionOf(cluster, "Succeed");
    if (cluster === winner && graceEnds !== undefined && stored !== undefined)
      return verdict(stored.status, stored.reason, stored.message);
    return ownVerdict(cluster, target);
  };
  const rows = clusters
    .toSorted((one, other) => Number(one === winner) - Number(other === winner))
    .map((cluster) => ({ cluster, said: verdictOf(cluster) }))
    .map(({ cluster, said }) => ({ cluster, said, status: clusterStatus(cluster, said, now) }));
  return { rows, graceEnds };
}

export const clusterStatus = (
  cluster: ClusterPlatform,
  said: Verdict,
  now: Time,
): NonNullable<ClusterPlatform["status"]> => ({
  version: LANGUAGE_VERSION,
  observedGeneration: cluster.metadata.generation,
  conditions: conditionsFor(cluster, { Succeed: said }, now),
});
