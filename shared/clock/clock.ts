/** Time comes in through this interface, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Runs `callback` once after `milliseconds`; the returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Node's longest timer, some 24.8 days; asked for more, it rings at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Rings once after `milliseconds`, however long; returns the function that cancels it. */
function ring(milliseconds: number, callback: () => void, keepsAlive: boolean): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    // Node warns of a time that has passed.
    const now = Math.max(0, Math.min(left, LONGEST_TIMER));
    timer = setTimeout(() => (left > now ? wait(left - now) : callback()), now);
    if (!keepsAlive) timer.unref();
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}

/** The machine's own clock. A callback set with `after` does not keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = ring(
        milliseconds,
        () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        },
        true,
      );
      signal?.addEventListener("abort", stop, { once: true });
    }),
  after: (milliseconds, callback) => ring(milliseconds, callback, false),
};
