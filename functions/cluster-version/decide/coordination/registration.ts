import { shortestPath } from "../../../../shared/graph/path.ts";
import type { Dependency } from "./dependency.ts";
import { noOrder, type PayloadOrder } from "./order.ts";

/** The result of a registration. */
export type Registration =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      /** `Cycle`: operators wait for each other. `Unsatisfiable`: the payload moves the one waited for only afterwards. */
      readonly reason: "Cycle" | "Unsatisfiable";
      readonly message: string;
    };

interface Step {
  readonly to: string;
  readonly by: "wait" | "order";
}

/**
 * Judges dependencies in the order in which they were declared: one that could never be met, given those accepted before it and the
 * payload's order, is refused with the names of both. Waits that are met already (`met`) hold nothing up, and are refused only
 * where operators wait for each other in words.
 */
export function register(
  dependencies: readonly Dependency[],
  order: PayloadOrder = noOrder,
  met: (dependency: Dependency) => boolean = () => false,
): readonly Registration[] {
  const waits = new Map<string, Set<string>>();
  const holding = new Map<string, Set<string>>();
  return dependencies.map((dependency) => {
    const { consumer, operator } = dependency;
    const cycle = pathOf(operator, consumer, waits, noOrder);
    if (cycle !== undefined) return refusedCycle(consumer, operator, cycle);
    const open = !met(dependency);
    const held = open ? pathOf(operator, consumer, holding, order) : undefined;
    if (held !== undefined) return refusedOrder(consumer, operator, held);
    add(waits, consumer, operator);
    if (open) add(holding, consumer, operator);
    return { accepted: true };
  });
}

function add(waits: Map<string, Set<string>>, consumer: string, operator: string): void {
  const known = waits.get(consumer) ?? new Set<string>();
  waits.set(consumer, known.add(operator));
}

/** The shortest way on which `from` has to come after `to`: by what it waits for, or by the payload's order. */
function pathOf(
  from: string,
  to: string,
  waits: ReadonlyMap<string, ReadonlySet<string>>,
  order: PayloadOrder,
): readonly Step[] | undefined {
  const path = shortestPath(from, to, (operator) => stepsFrom(operator, waits, order));
  return path && [{ to: from, by: "wait" }, ...path];
}

const stepsFrom = (
  operator: string,
  waits: ReadonlyMap<string, ReadonlySet<string>>,
  order: PayloadOrder,
): readonly Step[] => [
  ...[...(waits.get(operator) ?? [])].map((to): Step => ({ to, by: "wait" })),
  ...[...order.before(operator)].map((to): Step => ({ to, by: "order" })),
];

function refusedCycle(consumer: string, operator: string, path: readonly Step[]): Registration {
  const message =
    consumer === operator
      ? `Cluster operator ${consumer} cannot wait for itself`
      : `Cluster operators ${consumer} and ${operator} would wait for each other: ${[consumer, ...path.map(({ to }) => to)].join(" waits for ")}`;
  return { accepted: false, reason: "Cycle", message };
}

function refusedOrder(consumer: string, operator: string, path: readonly Step[]): Registration {
  const why = path
    .slice(1)
    .map(({ to, by }, index) => `${path[index]?.to} ${by === "wait" ? "waits for" : "comes after"} ${to}`);
  return {
    accepted: false,
    reason: "Unsatisfiable",
    message: `Cluster operator ${consumer} waits for ${operator}, which the payload moves only once ${consumer} has moved: ${why.join(", ")}`,
  };
}
