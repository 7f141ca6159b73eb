/** An object that a terminating namespace still holds. */
export interface Remainder {
  /** `configmaps.` or `deployments.apps`, as the real controller writes it. */
  readonly resource: string;
  readonly finalizers: readonly string[];
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** The conditions of a terminating namespace in the words of the real controller; a time moves only with its status. */
export function namespaceConditions(
  remaining: readonly Remainder[],
  failures: readonly string[],
  before: readonly Condition[],
  now: number,
): readonly Condition[] {
  const byResource = countBy(remaining.map(({ resource }) => resource));
  const byFinalizer = countBy(remaining.flatMap(({ finalizers }) => finalizers));
  const rows: readonly [type: string, holds: boolean, good: [string, string], bad: [string, string]][] = [
    [
      "NamespaceDeletionDiscoveryFailure",
      false,
      ["ResourcesDiscovered", "All resources successfully discovered"],
      ["", ""],
    ],
    [
      "NamespaceDeletionGroupVersionParsingFailure",
      false,
      ["ParsedGroupVersions", "All legacy kube types successfully parsed"],
      ["", ""],
    ],
    [
      "NamespaceDeletionContentFailure",
      failures.length > 0,
      ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
      [
        "ContentDeletionFailed",
        `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(", ")}`,
      ],
    ],
    [
      "NamespaceContentRemaining",
      byResource.length > 0,
      ["ContentRemoved", "All content successfully removed"],
      [
        "SomeResourcesRemain",
        `Some resources are remaining: ${byResource.map(([name, count]) => `${name} has ${count} resource instances`).join(", ")}`,
      ],
    ],
    [
      "NamespaceFinalizersRemaining",
      byFinalizer.length > 0,
      ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
      [
        "SomeFinalizersRemain",
        `Some content in the namespace has finalizers remaining: ${byFinalizer.map(([name, count]) => `${name} in ${count} resource instances`).join(", ")}`,
      ],
    ],
  ];
  return rows.map(([type, holds, good, bad]) => {
    const [reason, message] = holds ? bad : good;
    const status = holds ? "True" : "False";
    const old = before.find((condition) => condition.type === type);
    const lastTransitionTime =
      old?.status === status ? old.lastTransitionTime : new Date(now).toISOString().replace(/\.\d+/, "");
    return { type, status, reason, message, lastTransitionTime };
  });
}

function countBy(names: readonly string[]): readonly [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
