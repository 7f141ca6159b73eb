import type { ClusterOperator } from "../../kinds/index.ts";
import type { Mode, Task } from "../graph/index.ts";
import { gate } from "./gate.ts";
import type { GateStep } from "./walk.ts";

/** Operators by name. */
export type Board = ReadonlyMap<string, ClusterOperator>;
export const boardOf = (operators: readonly ClusterOperator[]): Board =>
  new Map(operators.map((operator) => [operator.metadata.name, operator]));

interface Expected {
  readonly versions?: readonly { readonly name: string; readonly version: string }[];
  readonly relatedObjects?: readonly {
    readonly group: string;
    readonly resource: string;
    readonly name: string;
    readonly namespace?: string;
  }[];
}
/** The status that the manifest of a ClusterOperator expects. */
export const expectedOf = ({ manifest: { object } }: Task): Expected => (object.status ?? {}) as Expected;

/** The present state of a task's gate. */
export function gateStep(
  task: Task,
  board: Board,
  policy: { readonly mode: Mode; readonly blockOnDegraded: boolean },
): GateStep {
  const { name } = task.manifest;
  const live = board.get(name);
  if (live === undefined) return { step: "gate", finding: "missing" };
  return { step: "gate", finding: gate({ name, versions: expectedOf(task).versions ?? [] }, live, policy) };
}

/** The gates' view of all operators, as one text: a change of it is worth a try at once. */
export const boardText = (operators: readonly ClusterOperator[]): string =>
  operators
    .map(({ metadata, status }) => {
      const version = status?.versions?.find(({ name }) => name === "operator")?.version ?? "";
      const said = ["Available", "Degraded"].map(
        (type) => status?.conditions?.find((condition) => condition.type === type)?.status ?? "",
      );
      return [metadata.name, version, ...said].join(" ");
    })
    .toSorted()
    .join("\n");
