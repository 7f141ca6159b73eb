import type { WorkRecord } from "../decide/sync/index.ts";
import type { Operator, Version } from "./read.ts";

/** The progress of the update with one operator. */
export interface OperatorUpdate {
  /** `holding`: the update waits for it. `pending`: its turn has not come. `done`: it has arrived. */
  readonly state: "holding" | "pending" | "done";
  /** The time since which it has been, or was, waited for. */
  readonly since?: string;
  /** The time at which it had arrived. */
  readonly until?: string;
}

/**
 * The progress of an update, or of the last one, with each operator, by name; empty where nothing is known of any. The version
 * alone does not tell: an operator may be at it and degraded.
 */
export function operatorUpdates(
  { status }: Version,
  operators: readonly Operator[],
  work: Pick<WorkRecord, "waiting" | "passed"> | undefined,
): ReadonlyMap<string, OperatorUpdate> {
  const [newest, before] = status?.history ?? [];
  const moving = newest?.state === "Partial";
  const target = status?.desired.version;
  return new Map(
    operators.flatMap(({ metadata: { name }, status: said }): [string, OperatorUpdate][] => {
      const since = work?.waiting[name];
      if (since !== undefined) return [[name, { state: "holding", since }]];
      const passed = work?.passed?.[name];
      if (passed !== undefined) return [[name, { state: "done", ...passed }]];
      if (!moving) return [];
      const at = said?.versions?.find((entry) => entry.name === "operator")?.version;
      if (at === target) return [[name, { state: "done" }]];
      // One that counts in another way than the release does is no part of it.
      return at === undefined || at === before?.version ? [[name, { state: "pending" }]] : [];
    }),
  );
}
