import { findCondition, type Stated } from "../../../shared/kube/conditions.ts";
import { atVersion, type ClusterVersionLike, clusterVersionDone, done, type OperatorLike } from "./done.ts";

/** A state that somebody waits for in one object. Several are met only together, on one read. */
export type Want =
  | { readonly done: true }
  /** Both compared without regard to case, as kubectl does. */
  | { readonly condition: string; readonly status: string }
  /** The version of an operand; of the operator itself where no name is given. */
  | { readonly version: string; readonly name?: string | undefined };

/** An object in which something is waited for. Raw JSON fits. */
export interface Watched {
  readonly kind?: string | undefined;
  readonly metadata: { readonly name?: string | undefined; readonly generation?: number | undefined };
  readonly status?:
    | {
        readonly conditions?:
          | readonly (Stated & { readonly observedGeneration?: number | undefined })[]
          | undefined;
        readonly observedGeneration?: number | undefined;
        readonly versions?: readonly { readonly name: string; readonly version: string }[] | undefined;
      }
    | undefined;
}

/**
 * The wants that are not met, in words; empty where all of them hold in this one state. A condition counts only when it was set
 * for the present generation of the spec, wherever condition or status tell which one it was set for.
 */
export const missing = (object: Watched, wants: readonly Want[]): readonly string[] =>
  wants.flatMap((want) => missingOf(object, want));

function missingOf(object: Watched, want: Want): readonly string[] {
  if ("done" in want) return isDone(object) ? [] : [`not done: ${standing(object)}`];
  if ("version" in want) {
    const name = want.name ?? "operator";
    if (atVersion(object as OperatorLike, name, want.version)) return [];
    const at = object.status?.versions?.find((entry) => entry.name === name)?.version;
    return [`${name} is at ${at ?? "no version"}, not at ${want.version}`];
  }
  const { condition: type, status } = want;
  const found = object.status?.conditions?.find((each) => sameWord(each.type, type));
  if (found === undefined) return [`there is no condition ${type}`];
  if (!sameWord(found.status, status)) return [`${found.type} is ${found.status}, not ${status}`];
  const observed = found.observedGeneration ?? object.status?.observedGeneration;
  const { generation } = object.metadata;
  return observed !== undefined && generation !== undefined && observed < generation
    ? [`${found.type} is about generation ${observed}, and the spec is at ${generation}`]
    : [];
}

const isDone = (object: Watched): boolean =>
  object.kind === "ClusterVersion"
    ? clusterVersionDone(object as ClusterVersionLike)
    : done(object as OperatorLike);

/** The conditions that `done` asks for, as they stand. */
function standing(object: Watched): string {
  const unhealthy = object.kind === "ClusterVersion" ? "Failing" : "Degraded";
  return ["Available", "Progressing", unhealthy]
    .map((type) => `${type}=${findCondition(object.status?.conditions, type)?.status ?? "absent"}`)
    .join(", ");
}

const sameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/**
 * A want as people write it: `done`, `Available`, `Progressing=False`, `version=1.2.3`, `version.etcd=3.5.0`. Undefined where the
 * text is none.
 */
export function parseWant(text: string): Want | undefined {
  const { key, value } = /^(?<key>[^=]+)(?:=(?<value>.*))?$/s.exec(text)?.groups ?? {};
  if (key === undefined) return undefined;
  if (key === "done") return value === undefined ? { done: true } : undefined;
  const operand = /^version(?:\.(?<name>.+))?$/.exec(key);
  if (operand === null) return value === "" ? undefined : { condition: key, status: value ?? "True" };
  if (value === undefined || value === "") return undefined;
  const name = operand.groups?.name;
  return { version: value, ...(name !== undefined && { name }) };
}
