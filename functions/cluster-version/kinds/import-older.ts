import type { Time } from "../../../shared/function/index.ts";
import {
  type Condition,
  type ConditionStatus,
  type ConditionVerdict,
  findCondition,
  type OperatorStatus,
  report,
  secretsIn,
  setCondition,
  setVersion,
} from "../status/index.ts";
import { type OldClusterOperator, type OldOperatorStatus, olderShape } from "./older-shapes.ts";

/** A line of the status board, made from an object of an older shape. */
export interface ImportedOperator {
  /** The name of the ClusterOperator. */
  readonly name: string;
  readonly status: OperatorStatus;
}

/** An object that was not imported, and why. */
export interface ImportIssue {
  readonly code: "UnknownShape" | "NameTaken" | "HoldsSecret";
  /** Namespace and name, or the place in the list where it has none. */
  readonly object: string;
  readonly message: string;
}

export interface Imported {
  readonly operators: readonly ImportedOperator[];
  readonly issues: readonly ImportIssue[];
}

/**
 * ClusterOperators of today from objects of the two older shapes, `OperatorStatus` and the namespaced `ClusterOperator`.
 *
 * @param prior what the board says already, by name: what an old object does not tell is kept from it.
 */
export function importOlder(
  objects: readonly unknown[],
  prior: ReadonlyMap<string, OperatorStatus>,
  now: Time,
): Imported {
  const operators = new Map<string, ImportedOperator & { readonly from: string }>();
  const issues: ImportIssue[] = [];
  for (const [index, object] of objects.entries()) {
    const read = olderShape.safeParse(object);
    if (!read.success) {
      const [first] = read.error.issues;
      const where = first === undefined || first.path.length === 0 ? "" : `${first.path.join(".")}: `;
      issues.push({
        code: "UnknownShape",
        object: `#${index + 1}`,
        message: `It has neither of the older shapes: ${where}${first?.message ?? "unreadable"}`,
      });
      continue;
    }
    const { name, namespace = "" } = read.data.metadata;
    const from = `${namespace}/${name}`;
    const taken = operators.get(name);
    const [secret] = secretsIn(read.data);
    if (taken !== undefined)
      issues.push({
        code: "NameTaken",
        object: from,
        message: `${taken.from} has the same name, and the board has no namespaces: rename one of them.`,
      });
    else if (secret !== undefined)
      issues.push({
        code: "HoldsSecret",
        object: from,
        message: `${secret.path} looks like ${secret.looksLike}, and everybody may read the board.`,
      });
    else
      operators.set(name, {
        name,
        from,
        status:
          read.data.kind === "OperatorStatus"
            ? fromFlat(read.data, prior.get(name), now)
            : fromNamespaced(read.data, prior.get(name), now),
      });
  }
  return { operators: [...operators.values()].map(({ name, status }) => ({ name, status })), issues };
}

/** What each single condition of the first shape says of the three of today; what it does not say is kept. */
function verdictsOf(
  { type, message }: OldOperatorStatus["condition"],
  prior: OperatorStatus | undefined,
): readonly ConditionVerdict[] {
  const said = (of: string, status: ConditionStatus, reason: string): ConditionVerdict => ({
    type: of,
    status,
    reason,
    ...(message !== "" && reason !== "AsExpected" && { message }),
  });
  switch (type) {
    case "Done":
      return [
        { ...said("Available", "True", "AsExpected"), ...(message !== "" && { message }) },
        said("Progressing", "False", "AsExpected"),
        said("Degraded", "False", "AsExpected"),
      ];
    case "Working":
      return [said("Progressing", "True", "Working"), said("Degraded", "False", "AsExpected")];
    case "Waiting": {
      const wasAvailable = findCondition(prior?.conditions, "Available") !== undefined;
      return [
        ...(wasAvailable ? [] : [said("Available", "False", "Waiting")]),
        said("Progressing", "False", "Waiting"),
      ];
    }
    case "Degraded":
      return [said("Degraded", "True", "Degraded")];
  }
}

function fromFlat(old: OldOperatorStatus, prior: OperatorStatus | undefined, now: Time): OperatorStatus {
  return report(
    prior,
    { conditions: verdictsOf(old.condition, prior), ...partsOf(old, prior) },
    old.lastUpdate ?? now,
  );
}

function fromNamespaced(
  { status: old }: OldClusterOperator,
  prior: OperatorStatus | undefined,
  now: Time,
): OperatorStatus {
  const hasDegraded = old.conditions.some(({ type }) => type === "Degraded");
  const conditions = old.conditions
    .filter(({ type }) => type !== "Failing" || !hasDegraded)
    .reduce<readonly Condition[]>(
      (set, { type, status, reason, message, lastTransitionTime }) =>
        setCondition<Condition>(
          set,
          {
            type: type === "Failing" ? "Degraded" : type,
            status: status === "True" || status === "False" ? status : "Unknown",
            ...(reason !== undefined && { reason }),
            ...(message !== undefined && { message }),
          },
          lastTransitionTime ?? now,
        ),
      prior?.conditions ?? [],
    );
  return report({ ...prior, conditions }, { conditions: [], ...partsOf(old, prior) }, now);
}

const partsOf = (
  { version, extension }: Pick<OldOperatorStatus, "version" | "extension">,
  prior: OperatorStatus | undefined,
) => ({
  ...(version !== "" && { versions: setVersion(prior?.versions, "operator", version) }),
  ...(extension !== undefined && { extension }),
});
