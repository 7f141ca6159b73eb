import type { Time } from "../../../../shared/function/index.ts";
import { done, statusOf } from "../../status/index.ts";

/** The part of a condition that is read, from any writer. */
export interface BoardCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: Time | undefined;
}

/** The part of a ClusterOperator that the board reads; an object as the API server gives it fits. */
export interface BoardOperator {
  readonly metadata: { readonly name: string };
  readonly status?:
    | {
        readonly conditions?: readonly BoardCondition[] | undefined;
        readonly versions?: readonly { readonly name: string; readonly version: string }[] | undefined;
        readonly relatedObjects?: readonly RelatedObject[] | undefined;
      }
    | undefined;
}
export interface RelatedObject {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** One line of the board: an operator as `kubectl get co` shows it, with what people ask next. */
export interface BoardLine {
  readonly name: string;
  /** The version of the entry named `operator`; absent where it publishes none. */
  readonly version?: string;
  readonly available: string;
  readonly progressing: string;
  readonly degraded: string;
  /** Absent: nothing speaks against the next minor version. */
  readonly upgradeable?: string;
  readonly done: boolean;
  /** The time of Available's last change. */
  readonly since?: Time;
  /** Its own message, the gravest condition first. */
  readonly message: string;
  /** The time since which its operator has not been heard of: its last words may no longer hold. */
  readonly silentSince?: Time;
}

/** The lines of all operators by name. `silent`: who has not been heard of since when (see `silentOperators`). */
export const boardOf = (
  operators: readonly BoardOperator[],
  silent: ReadonlyMap<string, Time> = new Map(),
): readonly BoardLine[] =>
  operators
    .map((operator) => lineOf(operator, silent.get(operator.metadata.name)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

function lineOf(operator: BoardOperator, silentSince: Time | undefined): BoardLine {
  const { conditions, versions } = operator.status ?? {};
  const said = (type: string): string => statusOf(conditions, type) ?? "";
  const version = versions?.find(({ name }) => name === "operator")?.version;
  const since = conditions?.find(({ type }) => type === "Available")?.lastTransitionTime;
  const upgradeable = said("Upgradeable");
  return {
    name: operator.metadata.name,
    ...(version !== undefined && { version }),
    available: said("Available"),
    progressing: said("Progressing"),
    degraded: said("Degraded"),
    ...(upgradeable !== "" && { upgradeable }),
    done: done(operator),
    ...(since !== undefined && { since }),
    message: gravest(conditions),
    ...(silentSince !== undefined && { silentSince }),
  };
}

/** A part that is broken goes before one that is worse than intended, and that before one that only moves. */
function gravest(conditions: readonly BoardCondition[] | undefined): string {
  const healthy = { Available: "True", Degraded: "False", Progressing: "False", Upgradeable: "True" };
  for (const [type, good] of Object.entries(healthy)) {
    const found = conditions?.find((condition) => condition.type === type);
    const text = found?.message ?? found?.reason ?? "";
    if (found !== undefined && found.status !== good && text !== "") return text;
  }
  return "";
}
