import type { TaskGraph } from "../graph/index.ts";

/** The order in which a payload moves operators. */
export interface PayloadOrder {
  /** Operators whose gate must have passed before that of `operator` is asked for. */
  before(operator: string): ReadonlySet<string>;
}

/** Nothing comes before anything: no payload is known. */
export const noOrder: PayloadOrder = { before: () => new Set() };

/**
 * The order of the gates of an ordered graph, that of an update: an operator comes after those that stand before it in its own
 * node, and after all of the nodes that its own waits for.
 */
export function orderOf({ nodes }: TaskGraph): PayloadOrder {
  const gates = nodes.map(({ tasks }) =>
    tasks.flatMap(({ manifest }) =>
      manifest.group === "config.openshift.io" && manifest.kind === "ClusterOperator" ? [manifest.name] : [],
    ),
  );
  const upTo = new Map<number, ReadonlySet<string>>();
  const earlier = (position: number): ReadonlySet<string> => {
    const known = upTo.get(position);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const one of nodes[position]?.in ?? []) {
      for (const name of earlier(one)) found.add(name);
      for (const name of gates[one] ?? []) found.add(name);
    }
    upTo.set(position, found);
    return found;
  };
  const before = new Map<string, Set<string>>();
  for (const [position, names] of gates.entries()) {
    const first = earlier(position);
    for (const [index, name] of names.entries()) {
      const all = before.get(name) ?? new Set<string>();
      for (const other of [...first, ...names.slice(0, index)]) if (other !== name) all.add(other);
      before.set(name, all);
    }
  }
  return { before: (operator) => before.get(operator) ?? new Set() };
}
