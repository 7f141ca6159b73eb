import { type ConditionVerdict, findCondition } from "../../../shared/kube/conditions.ts";
import type { OperatorReport, OperatorStatus } from "./operator-status.ts";

/**
 * An administrator's wish for an operator, in the spec of the operator's own settings: act and update when it is safe; act
 * whatever speaks against it; touch nothing; take the component away.
 */
export type ManagementState = "Managed" | "Force" | "Unmanaged" | "Removed";

/** The state that a text names; what nobody knows is Managed, as upstream's operators take it. */
export const managementStateOf = (text: string | undefined): ManagementState =>
  text === "Force" || text === "Unmanaged" || text === "Removed" ? text : "Managed";

/**
 * The report of an operator while it is Unmanaged: it does not progress, minor updates wait, and the last observed conditions and
 * versions stay, so that neither a patch nor a reconcile of the cluster is held up. Conditions never told become Unknown.
 */
export function unmanagedReport(stored: OperatorStatus | undefined): OperatorReport {
  const kept = (type: string): readonly ConditionVerdict[] => {
    const condition = findCondition(stored?.conditions, type);
    return condition === undefined
      ? [
          {
            type,
            status: "Unknown",
            reason: "Unmanaged",
            message: "It was never observed while it was managed.",
          },
        ]
      : [];
  };
  return {
    conditions: [
      ...kept("Available"),
      {
        type: "Progressing",
        status: "False",
        reason: "Unmanaged",
        message: "Nothing is changed while it is unmanaged",
      },
      ...kept("Degraded"),
      {
        type: "Upgradeable",
        status: "False",
        reason: "Unmanaged",
        message: "The operator is unmanaged. Set its managementState to Managed before a minor update.",
      },
    ],
  };
}

/**
 * The verdict of `unsupportedConfigOverrides` in an operator's settings on Upgradeable: False with their names, True where there
 * are none. The values are not told.
 */
export function upgradeableWithOverrides(overrides: unknown): ConditionVerdict<"Upgradeable"> {
  const names = typeof overrides === "object" && overrides !== null ? Object.keys(overrides).sort() : [];
  const set = names.length > 0 || ((overrides ?? "") !== "" && typeof overrides !== "object");
  return set
    ? {
        type: "Upgradeable",
        status: "False",
        reason: "UnsupportedConfigOverridesSet",
        message: `unsupportedConfigOverrides are set${names.length > 0 ? `: ${names.join(", ")}` : ""}. Remove them before a minor update.`,
      }
    : {
        type: "Upgradeable",
        status: "True",
        reason: "AsExpected",
        message: "No unsupported overrides are set",
      };
}
