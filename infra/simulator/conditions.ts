import { timeOf } from "./objects.ts";

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
}

/** The list with `wanted` in it: its transition time moves only when its status does, other types stay as they are. */
export function withCondition<C extends Condition>(
  conditions: readonly C[],
  wanted: Omit<C, "lastTransitionTime">,
  now: number,
): C[] {
  const before = conditions.find(({ type }) => type === wanted.type);
  const lastTransitionTime = before?.status === wanted.status ? before.lastTransitionTime : timeOf(now);
  const made = { ...wanted, lastTransitionTime } as C;
  return before === undefined
    ? [...conditions, made]
    : conditions.map((condition) => (condition === before ? made : condition));
}

/** True where the server would store both as the same: it leaves out fields that are empty, zero or false. */
export function sameStatus(a: unknown, b: unknown): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

/** Sorted keys, nothing empty. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((item) => canonical(item) ?? null);
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value)
      .map(([key, item]) => [key, canonical(item)] as const)
      .filter(([, item]) => item !== undefined)
      .sort(([x], [y]) => (x < y ? -1 : 1));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  return value === null || value === 0 || value === "" || value === false ? undefined : value;
}
