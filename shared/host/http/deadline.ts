import type { Clock } from "../../clock/clock.ts";

/** The one name of a question's query: for how long whoever asks waits, as Go spells it. */
export const TIMEOUT = "timeout";
/** The answer takes its way too. */
const SPARE = 250;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** The milliseconds for which whoever asks waits; `usual` where it does not say. */
export function waitOf(request: Request, usual: number): number {
  const text = new URL(request.url).searchParams.get(TIMEOUT);
  const [, count, unit = ""] = /^(\d{1,6})(ms|s|m)$/.exec(text ?? "") ?? [];
  return count === undefined ? usual : Math.max(Number(count) * (UNITS[unit] ?? 1), 1);
}

/**
 * Decides while somebody waits: rejects with `late` shortly before the time is over, or as soon as the request is given up.
 * @param decide is handed a signal that is aborted then
 */
export async function inTime<T>(
  {
    request,
    within,
    late,
    clock,
  }: {
    readonly request: Request;
    readonly within: number;
    readonly late: Error;
    readonly clock: Clock;
  },
  decide: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const cancel = clock.after(Math.max(within - SPARE, within / 2), () => over.abort(late));
  const signal = AbortSignal.any([request.signal, over.signal]);
  try {
    return await Promise.race([decide(signal), rejection(signal)]);
  } finally {
    cancel();
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
