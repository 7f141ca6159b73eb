import type { Cause } from "../item.ts";
import { arrive, type KeyState } from "../key-state.ts";
import { waitingOf } from "../waiting.ts";

/** Timers that are due enqueue first and are then gone (B7). On a dead key they lead to nothing, as any news of that sort. */
export function fireTimers(state: KeyState, numbered: string, now: number): KeyState {
  const due = Object.entries(state.deadlines).filter(([, at]) => Date.parse(at) <= now);
  const netIsDue = state.net !== undefined && state.net <= now;
  if (due.length === 0 && !netIsDue) return state;
  const deadlines = Object.fromEntries(
    Object.entries(state.deadlines).filter(([name]) => !due.some(([other]) => other === name)),
  );
  const causeOf = (sort: "deadline" | "net", timer: string, at: number): Cause => ({
    sort,
    eventId: `timer/${numbered}/${timer}`,
    type: "timer.due",
    timer,
    dueAt: new Date(at).toISOString(),
    revives: false,
    at: new Date(now).toISOString(),
  });
  const causes = [
    ...due.map(([name, at]) => ({
      lane: "urgent" as const,
      cause: causeOf("deadline", name, Date.parse(at)),
    })),
    ...(netIsDue ? [{ lane: "sweep" as const, cause: causeOf("net", "net", state.net ?? now) }] : []),
  ];
  return causes.reduce<KeyState>(
    (fired, { lane, cause }) => arrive(fired, waitingOf({ function: "", key: "", lane, cause }, now), now),
    { ...state, deadlines, net: netIsDue ? undefined : state.net },
  );
}
