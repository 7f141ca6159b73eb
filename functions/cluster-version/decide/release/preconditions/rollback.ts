import { compareVersions, parseVersion, sameMinor } from "../../../../../shared/versions.ts";
import { endsOf, type Finding, type Move } from "./finding.ts";

const NAME = "ClusterVersionRollback";

/**
 * Back only to the release before this one, within its minor version. The one before is the newest in the history that differs
 * in version or image, whether it was completed or not. Going back undoes nothing: the older payload is applied forward, and
 * that is recorded as a risk taken.
 */
export function rollback(move: Move): Finding | undefined {
  const ends = endsOf(NAME, move);
  if ("reason" in ends) return ends;
  const { current, target } = ends;
  if (compareVersions(target, current) >= 0) return undefined;
  const status = move.clusterVersion.status;
  const before = status?.history?.find(
    ({ version, image }) => version !== current.text || image !== status.desired?.image,
  );
  const previous = parseVersion(before?.version);
  const low = (message: string): Finding => ({
    name: NAME,
    reason: "LowDesiredVersion",
    message: `${target.text} is less than the current target ${current.text}${message}`,
    warning: false,
  });
  if (previous === undefined) return low(", and the cluster has no previous Semantic Version");
  if (compareVersions(target, previous) !== 0)
    return low(
      `, and the only supported rollback is to the cluster's previous version ${previous.text} (${before?.image ?? ""})`,
    );
  if (!sameMinor(previous, current))
    return low(
      " and matches the cluster's previous version, but rollbacks that change major or minor versions are not recommended",
    );
  return {
    name: NAME,
    reason: "RollbackAppliesForward",
    message: `${target.text} is less than the current target ${current.text} and is applied over it: what only ${current.text} has brought stays, nothing is undone`,
    warning: true,
  };
}
