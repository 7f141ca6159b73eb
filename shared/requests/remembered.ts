import type { Clock } from "../clock/clock.ts";

/** More questions than one cluster has at a time. */
export const MOST = 1_000;

/**
 * Asks at most once per `milliseconds` for the same key, whatever comes of it, and once for all who ask meanwhile. Who brings other
 * news than those that the answer stems from has it asked for anew.
 */
export function remembered<Answer>(
  clock: Clock,
  milliseconds: number,
  ask: (key: string) => Promise<Answer>,
): (key: string, news?: string) => Promise<Answer> {
  const held = new Map<
    string,
    { readonly until: number; readonly answer: Promise<Answer>; readonly news: string | undefined }
  >();
  return (key, news) => {
    const known = held.get(key);
    const stands = known !== undefined && clock.now() < known.until;
    if (stands && (news === undefined || news === known.news)) return known.answer;
    held.delete(key);
    for (const [old, { until }] of held) if (until <= clock.now() || held.size >= MOST) held.delete(old);
    const answer = ask(key);
    held.set(key, { until: clock.now() + milliseconds, answer, news });
    return answer;
  };
}
