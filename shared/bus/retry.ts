/** The policy of retries: when a failed item is tried again, and when it is given up (B5). */
export interface RetryPolicy {
  /** The wait after the first failure, in milliseconds. */
  readonly initialMilliseconds: number;
  /** The factor by which each further wait is longer. */
  readonly factor: number;
  /** No wait is longer than this, unless the server asked for it: then 5 minutes, or this where it is more. */
  readonly maximumMilliseconds: number;
  /** After this many attempts the item goes to the dead letters. */
  readonly maximumAttempts: number;
  /** The part of a wait that chance may take off, from 0 up to 1, so that items that failed together do not return together. */
  readonly jitter: number;
}

export const defaultRetry: RetryPolicy = {
  initialMilliseconds: 500,
  factor: 2,
  maximumMilliseconds: 5 * 60_000,
  maximumAttempts: 10,
  jitter: 0.5,
};

const LONGEST_RETRY_AFTER = 5 * 60_000;

/**
 * Milliseconds to wait after the `attempt`-th attempt failed. A `Retry-After` of up to 5 minutes is a lower bound.
 * @param random a number from 0 up to 1
 */
export function retryDelay(
  policy: RetryPolicy,
  attempt: number,
  random: number,
  retryAfterMilliseconds = 0,
): number {
  const full = Math.min(
    policy.maximumMilliseconds,
    policy.initialMilliseconds * policy.factor ** (attempt - 1),
  );
  const asked = Math.min(retryAfterMilliseconds, Math.max(LONGEST_RETRY_AFTER, policy.maximumMilliseconds));
  return Math.max(Math.round(full * (1 - policy.jitter * random)), asked);
}
