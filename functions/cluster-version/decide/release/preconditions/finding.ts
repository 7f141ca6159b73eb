import { parseVersion, type SemanticVersion } from "../../../../../shared/versions.ts";
import type { ClusterVersionView, Verdict } from "../types.ts";

/** An objection of a precondition to a move; where all is well there is none. */
export interface Finding {
  /** The precondition's name, for example `ClusterVersionRollback`. */
  readonly name: string;
  readonly reason: string;
  readonly message: string;
  /** A warning does not stop the move, it is recorded as an accepted risk. */
  readonly warning: boolean;
}

/** The move that preconditions judge: from `clusterVersion.status.desired` to the version that the loaded payload names. */
export interface Move {
  readonly clusterVersion: ClusterVersionView;
  readonly targetVersion: string;
  /** The present verdict of Upgradeable: judge it anew, the stored condition may not know of the spec's last change yet. */
  readonly upgradeable: Verdict | undefined;
}

/** The two ends of a move, or the finding that one of them is no version. A current one that is none only warns: it may take an update to mend it. */
export function endsOf(
  name: string,
  { clusterVersion, targetVersion }: Move,
): { readonly current: SemanticVersion; readonly target: SemanticVersion } | Finding {
  const text = clusterVersion.status?.desired?.version ?? "";
  const current = parseVersion(text);
  if (current === undefined) return unparsable(name, "InvalidCurrentVersion", text, true);
  const target = parseVersion(targetVersion);
  return target === undefined
    ? unparsable(name, "InvalidDesiredVersion", targetVersion, false)
    : { current, target };
}

const unparsable = (name: string, reason: string, text: string, warning: boolean): Finding => ({
  name,
  reason,
  message: `${JSON.stringify(text)} is not a semantic version`,
  warning,
});
