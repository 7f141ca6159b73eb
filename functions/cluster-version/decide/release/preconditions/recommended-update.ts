import { findCondition } from "../../../status/index.ts";
import { conditionalUpdateTo, risksAccepted } from "../accepted-risks.ts";
import type { Finding, Move } from "./finding.ts";

const NAME = "ClusterVersionRecommendedUpdate";

/** Never blocks: says where an update is not recommended, or where nobody knows whether it is. */
export function recommendedUpdate({ clusterVersion, targetVersion }: Move): Finding | undefined {
  const { spec, status } = clusterVersion;
  const from = status?.desired?.version ?? "";
  const step = `from ${from} to ${targetVersion}`;
  const warn = (reason: string, message: string): Finding => ({ name: NAME, reason, message, warning: true });
  if (status?.availableUpdates?.some(({ version }) => version === targetVersion)) return undefined;
  const conditional = conditionalUpdateTo(clusterVersion, targetVersion);
  if (conditional !== undefined) {
    const said = conditional.conditions?.find(({ type }) => type === "Recommended");
    if (said === undefined)
      return warn(
        "UnknownConditionType",
        `Update ${step} has a status.conditionalUpdates entry, but no Recommended condition.`,
      );
    const { reason = "", message = "" } = said;
    if (said.status === "True" || risksAccepted(clusterVersion, conditional).length > 0) return undefined;
    return said.status === "False"
      ? warn(reason, `Update ${step} is not recommended:\n\n${message}`)
      : warn(reason, `Update ${step} is Recommended=${said.status}: ${reason}: ${message}`);
  }
  if ((spec.channel ?? "") === "")
    return warn(
      "NoChannel",
      `Configured channel is unset, so the recommended status of updating ${step} is unknown.`,
    );
  const retrieved = findCondition(status?.conditions, "RetrievedUpdates");
  if (retrieved === undefined)
    return warn(
      "UnknownUpdate",
      `No RetrievedUpdates, so the recommended status of updating ${step} is unknown.`,
    );
  const state = `RetrievedUpdates=${retrieved.status} (${retrieved.reason ?? ""}), so the`;
  return warn(
    "UnknownUpdate",
    retrieved.status === "True"
      ? `${state} update ${step} is probably neither recommended nor supported.`
      : `${state} recommended status of updating ${step} is unknown.`,
  );
}
