import type { Condition, ConditionVerdict } from "../../../shared/kube/conditions.ts";

/** An operator or operand, and the version that all of it runs. */
export interface OperandVersion {
  /** `operator` for the release; else the operand. */
  readonly name: string;
  readonly version: string;
}

/** Something to look at, or to collect, when a component is unwell. */
export interface RelatedObject {
  /** API group; empty for the core. */
  readonly group: string;
  /** Plural, in lower case. */
  readonly resource: string;
  /** Empty: all of that resource in the namespace. */
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** The status of a ClusterOperator as it is stored. Raw JSON fits. */
export interface OperatorStatus {
  readonly conditions?: readonly Condition[] | undefined;
  readonly versions?: readonly OperandVersion[] | undefined;
  readonly relatedObjects?: readonly RelatedObject[] | undefined;
  readonly extension?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * An operator's report on its component. Conditions that it does not name stay as they are; each other part that it leaves out
 * stays too, and one that it names is replaced whole.
 */
export interface OperatorReport {
  readonly conditions: readonly ConditionVerdict[];
  /** Types of conditions that no longer apply. */
  readonly remove?: readonly string[] | undefined;
  /** The old version until nothing runs the old code any more; then, with the conditions, the new one. */
  readonly versions?: readonly OperandVersion[] | undefined;
  readonly relatedObjects?: readonly RelatedObject[] | undefined;
  /** The operator's private status. Public to read: never secrets. */
  readonly extension?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The versions with that one set: in its place where it is listed, else at the end. */
export function setVersion(
  versions: readonly OperandVersion[] | undefined,
  name: string,
  version: string,
): readonly OperandVersion[] {
  const stored = versions?.find((entry) => entry.name === name);
  if (versions === undefined || stored === undefined) return [...(versions ?? []), { name, version }];
  return stored.version === version
    ? versions
    : versions.map((entry) => (entry === stored ? { ...entry, version } : entry));
}
