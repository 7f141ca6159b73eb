import type { Clock } from "../clock/clock.ts";

/** More questions than one cluster has at a time. */
export const MOST = 1_000;

/**
 * Asks at most once per `milliseconds` for the same key, whatever comes of it, and once for all who ask meanwhile. Who brings other
 * news than those that the answer stems from has it asked for anew. `notBefore` reads from an answer until when nobody may ask again,
 * in milliseconds since the epoch: until then it stands, whatever the news.
 */
export function remembered<Answer>(
  clock: Clock,
  milliseconds: number,
  ask: (key: string) => Promise<Answer>,
  notBefore: (answer: Answer) => number | undefined = () => undefined,
): (key: string, news?: string) => Promise<Answer> {
  interface Held {
    readonly answer: Promise<Answer>;
    readonly news: string | undefined;
    until: number;
    notBefore: number;
  }
  const held = new Map<string, Held>();
  return (key, news) => {
    const known = held.get(key);
    const stands = known !== undefined && clock.now() < known.until;
    const isNews = news !== undefined && news !== known?.news;
    if (stands && (!isNews || clock.now() < known.notBefore)) return known.answer;
    held.delete(key);
    for (const [old, { until }] of held) if (until <= clock.now() || held.size >= MOST) held.delete(old);
    const answer = ask(key);
    const asked: Held = { until: clock.now() + milliseconds, answer, news, notBefore: 0 };
    held.set(key, asked);
    const stand = (given: Answer): void => {
      const time = notBefore(given);
      if (time === undefined) return;
      asked.notBefore = time;
      asked.until = Math.max(asked.until, time);
    };
    // A rejection is told to those who asked.
    answer.then(stand, () => undefined);
    return answer;
  };
}
