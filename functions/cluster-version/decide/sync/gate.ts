import { isFalse, isTrue, type Stated } from "../../status/index.ts";
import type { Mode } from "../graph/index.ts";
import type { UpdateEffect, UpdateError } from "./update-error.ts";

interface Version {
  readonly name: string;
  readonly version: string;
}
/** The part of a ClusterOperator that a gate reads. */
export interface GateOperator {
  readonly status?:
    | {
        readonly conditions?: readonly Stated[] | undefined;
        readonly versions?: readonly Version[] | undefined;
      }
    | undefined;
}

/** The reasons for which a ClusterOperator holds a pass up. */
export type GateReason =
  | "ClusterOperatorNoVersions"
  | "ClusterOperatorNotAvailable"
  | "ClusterOperatorDegraded"
  | "ClusterOperatorUpdating";

const SAYS: Readonly<
  Record<GateReason, { readonly one: string; readonly many: string; readonly plural: string }>
> = {
  ClusterOperatorNoVersions: {
    one: "does not declare expected versions",
    many: "do not declare expected versions",
    plural: "ClusterOperatorsNoVersions",
  },
  ClusterOperatorNotAvailable: {
    one: "is not available",
    many: "are not available",
    plural: "ClusterOperatorsNotAvailable",
  },
  ClusterOperatorDegraded: { one: "is degraded", many: "are degraded", plural: "ClusterOperatorsDegraded" },
  ClusterOperatorUpdating: {
    one: "is updating versions",
    many: "are updating versions",
    plural: "ClusterOperatorsUpdating",
  },
};

export const isGateReason = (reason: string): reason is GateReason => Object.hasOwn(SAYS, reason);

/** The error of one or several ClusterOperators that are held up for the same reason. */
export function gateError(reason: GateReason, effect: UpdateEffect, names: readonly string[]): UpdateError {
  const { one, many, plural } = SAYS[reason];
  const sorted = names.toSorted();
  return sorted.length === 1
    ? { effect, reason, message: `Cluster operator ${sorted[0]} ${one}`, names: sorted }
    : { effect, reason: plural, message: `Cluster operators ${sorted.join(", ")} ${many}`, names: sorted };
}

/** The finding of a gate: nothing, a fault that is only told (`Report`), or one that holds the pass up. */
export interface GateFinding {
  readonly passes: boolean;
  readonly error?: UpdateError;
}

const PASSES: GateFinding = { passes: true };

/**
 * One look at a ClusterOperator, no waiting (4.5). Only the versions that the manifest lists count, as exact strings. Progressing is
 * never asked. `blockOnDegraded` false: who is degraded only reports; degraded and at an old version fails.
 */
export function gate(
  manifest: { readonly name: string; readonly versions: readonly Version[] },
  live: GateOperator,
  { mode, blockOnDegraded }: { readonly mode: Mode; readonly blockOnDegraded: boolean },
): GateFinding {
  const { name, versions } = manifest;
  const blocked = (reason: GateReason, effect: UpdateEffect): GateFinding => ({
    passes: false,
    error: gateError(reason, effect, [name]),
  });
  if (versions.length === 0) return blocked("ClusterOperatorNoVersions", "Fail");
  const { conditions, versions: there = [] } = live.status ?? {};
  if (!isTrue(conditions, "Available")) return blocked("ClusterOperatorNotAvailable", "Fail");
  const installing = mode === "Initializing";
  const behind =
    !installing &&
    versions.some(
      (expected) => there.find((one) => one.name === expected.name)?.version !== expected.version,
    );
  const degraded = !isFalse(conditions, "Degraded");
  if (degraded && (installing || !blockOnDegraded)) {
    if (behind) return blocked("ClusterOperatorDegraded", "Fail");
    return { passes: true, error: gateError("ClusterOperatorDegraded", "Report", [name]) };
  }
  if (degraded) return blocked("ClusterOperatorDegraded", "FailAfterInterval");
  return behind ? blocked("ClusterOperatorUpdating", "None") : PASSES;
}
