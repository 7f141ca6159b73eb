import type { Clock } from "../clock/clock.ts";

/** More questions than one cluster has at a time. */
export const MOST = 1_000;

/** Asks at most once per `milliseconds` for the same key, whatever comes of it, and once for all who ask meanwhile. */
export function remembered<Answer>(
  clock: Clock,
  milliseconds: number,
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const held = new Map<string, { readonly until: number; readonly answer: Promise<Answer> }>();
  return (key) => {
    const known = held.get(key);
    if (known !== undefined && clock.now() < known.until) return known.answer;
    for (const [old, { until }] of held) if (until <= clock.now() || held.size >= MOST) held.delete(old);
    const answer = ask(key);
    held.set(key, { until: clock.now() + milliseconds, answer });
    return answer;
  };
}
