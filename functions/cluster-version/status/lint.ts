import { isTrue, statusOf } from "../../../shared/kube/conditions.ts";
import type { OperatorStatus } from "./operator-status.ts";

/** A rule that a status breaks: not refused, but worth telling its author. */
export interface StatusFinding {
  readonly code:
    | "NoOperatorVersion"
    | "ConditionMissing"
    | "UnknownStatus"
    | "ReasonNotCamelCase"
    | "ReasonMissing"
    | "MessageNotCapitalised"
    | "UpgradeableWithoutMessage"
    | "DegradedWhileMoving"
    | "VersionAhead";
  /** The path, from the status. */
  readonly path: string;
  readonly message: string;
}

const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** The rules for the status of a ClusterOperator that this one breaks. For an author's tests; an empty list is good. */
export function lint(status: OperatorStatus, before?: OperatorStatus | undefined): readonly StatusFinding[] {
  return [...lintConditions(status), ...lintVersions(status, before)];
}

function lintConditions(status: OperatorStatus): readonly StatusFinding[] {
  const conditions = status.conditions ?? [];
  const absent = ["Available", "Progressing", "Degraded"].filter(
    (type) => statusOf(conditions, type) === undefined,
  );
  return [
    ...absent.map((type) =>
      finding("ConditionMissing", "conditions", `${type} is not told: every operator tells it.`),
    ),
    ...conditions.flatMap(({ type, status: word, reason = "", message = "" }) => {
      const path = `conditions.${type}`;
      return [
        ["True", "False", "Unknown"].includes(word)
          ? []
          : [
              finding(
                "UnknownStatus",
                path,
                "Its status is none of True, False, Unknown, so it counts as Unknown.",
              ),
            ],
        reason === ""
          ? [finding("ReasonMissing", path, "It has no reason: write AsExpected where all is well.")]
          : [],
        reason !== "" && !REASON.test(reason)
          ? [finding("ReasonNotCamelCase", path, "Its reason is not one CamelCase word.")]
          : [],
        /^[a-z]/.test(message)
          ? [finding("MessageNotCapitalised", path, "Its message begins in lower case.")]
          : [],
        type === "Upgradeable" && word === "False" && message.trim() === ""
          ? [finding("UpgradeableWithoutMessage", path, "It blocks updates and does not say what to do.")]
          : [],
      ].flat();
    }),
  ];
}

function lintVersions(status: OperatorStatus, before: OperatorStatus | undefined): readonly StatusFinding[] {
  const versionOf = (of: OperatorStatus | undefined): string | undefined =>
    of?.versions?.find(({ name }) => name === "operator")?.version;
  const moved = versionOf(before) !== undefined && versionOf(status) !== versionOf(before);
  return [
    ...(isTrue(status.conditions, "Available") && versionOf(status) === undefined
      ? [finding("NoOperatorVersion", "versions", "It is Available and tells no version `operator`.")]
      : []),
    ...(moved && isTrue(status.conditions, "Progressing")
      ? [
          finding(
            "VersionAhead",
            "versions",
            "The version `operator` moved in a write that still says Progressing: move it when the last operand has moved.",
          ),
        ]
      : []),
    ...(isTrue(status.conditions, "Progressing") &&
    isTrue(status.conditions, "Degraded") &&
    !isTrue(before?.conditions, "Degraded") &&
    before !== undefined
      ? [
          finding(
            "DegradedWhileMoving",
            "conditions.Degraded",
            "It became Degraded while Progressing: a normal update degrades nothing; give it time (see `aggregate`'s inertia).",
          ),
        ]
      : []),
  ];
}

const finding = (code: StatusFinding["code"], path: string, message: string): StatusFinding => ({
  code,
  path,
  message,
});
