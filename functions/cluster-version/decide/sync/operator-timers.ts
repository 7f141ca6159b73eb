import { later, since, type Time, timeOf } from "../../../../shared/function/index.ts";

/**
 * The time since which each ClusterOperator has been waited for: from the first look of its gate in this work to the one that
 * passes.
 */
export type Waiting = Readonly<Record<string, Time>>;

const MINUTE = 60_000;
const MACHINE_CONFIG = "machine-config";
/** Minutes that a degraded operator is waited for before the update counts as failed. */
const DEGRADED = 40;
/** Minutes that a version may take before the operator counts as slow: machine-config goes over all nodes. */
const slowAfter = (name: string): number => (name === MACHINE_CONFIG ? 90 : 30);

const isPast = (waiting: Waiting, name: string, minutes: number, now: Time): boolean => {
  const start = waiting[name];
  return start !== undefined && since(start, now) > minutes * MINUTE;
};

/** The operators that have been degraded for too long. */
export const degradedTooLong = (names: readonly string[], waiting: Waiting, now: Time): readonly string[] =>
  names.filter((name) => isPast(waiting, name, DEGRADED, now));

/** The words about a wait for these operators that takes longer than it should; undefined where it does not. */
export function slowness(names: readonly string[], waiting: Waiting, now: Time): string | undefined {
  const slow = names.filter((name) => isPast(waiting, name, slowAfter(name), now));
  const others = slow.filter((name) => name !== MACHINE_CONFIG);
  const said = [
    ...(others.length > 0 ? [`${others.join(", ")} over 30 minutes`] : []),
    ...(slow.length > others.length ? [`${MACHINE_CONFIG} over 90 minutes`] : []),
  ];
  return said.length === 0 ? undefined : `waiting on ${said.join(" and ")} which is longer than expected`;
}

/** The waits with this pass's gates looked at: who is new begins now, who passed is let go. */
export function waitingWith(
  waiting: Waiting,
  gates: { readonly blocked: readonly string[]; readonly passed: readonly string[] },
  now: Time,
): Waiting {
  const kept = Object.entries(waiting).filter(([name]) => !gates.passed.includes(name));
  const begun = gates.blocked
    .filter((name) => waiting[name] === undefined)
    .map((name) => [name, now] as const);
  return Object.fromEntries([...kept, ...begun].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The times at which the words about these operators change although nothing happens: 30, 40, 90 minutes after their waits began.
 * A moment later, since a wait of exactly 40 minutes has not exceeded them.
 */
export function timerDeadlines(waiting: Waiting, now: Time): Readonly<Record<string, Time>> {
  return Object.fromEntries(
    Object.entries(waiting).flatMap(([name, start]) =>
      [...new Set([slowAfter(name), DEGRADED])].flatMap((minutes) => {
        const at = timeOf(Date.parse(later(start, `${minutes}m`)) + 1);
        return at > now ? [[`${name} ${minutes}m`, at] as const] : [];
      }),
    ),
  );
}
