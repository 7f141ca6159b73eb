import {
  compareVersions,
  parseVersion,
  type SemanticVersion,
  sameMinor,
} from "../../../../../shared/versions.ts";
import { isTrue } from "../../../status/index.ts";
import { installedVersion } from "../installed-version.ts";
import { hasOverrides, OVERRIDES_MESSAGE } from "../overrides.ts";
import type { Status } from "../types.ts";
import { endsOf, type Finding, type Move } from "./finding.ts";

const NAME = "ClusterVersionUpgradeable";

/** Upgradeable=False stands against other minor and major versions only; a patch passes, with a warning where it is remarkable. */
export function upgradeable(move: Move): Finding | undefined {
  if (move.upgradeable?.status !== "False") return undefined;
  const ends = endsOf(NAME, move);
  if ("reason" in ends) return ends;
  const { current, target } = ends;
  const patch = sameMinor(current, target);
  if (!patch && compareVersions(target, current) > 0)
    return { name: NAME, reason: move.upgradeable.reason, message: move.upgradeable.message, warning: false };
  const warn = (reason: string, message: string): Finding => ({ name: NAME, reason, message, warning: true });
  if (hasOverrides(move.clusterVersion.spec.overrides))
    return warn(
      "ClusterVersionOverridesSet",
      `Retarget from ${current.text} to ${target.text} is not blocked by ClusterVersionOverridesSet. But the cluster-version operator is not managing these resources; they are currently the responsibility of the agent that set the overrides: ${OVERRIDES_MESSAGE}`,
    );
  const unfinished = patch ? unfinishedMove(move.clusterVersion.status, current) : undefined;
  return unfinished === undefined
    ? undefined
    : warn(
        `${unfinished.step}VersionClusterUpdateInProgress`,
        `Retarget to ${target.text} while a ${unfinished.step.toLowerCase()} version update from ${unfinished.from} to ${current.text} is in progress`,
      );
}

function unfinishedMove(
  status: Status | undefined,
  current: SemanticVersion,
): { readonly from: string; readonly step: "Major" | "Minor" } | undefined {
  const from = parseVersion(installedVersion(status?.history));
  if (from === undefined || !isTrue(status?.conditions, "Progressing")) return undefined;
  if (from.major < current.major) return { from: from.text, step: "Major" };
  return from.major === current.major && from.minor < current.minor
    ? { from: from.text, step: "Minor" }
    : undefined;
}
