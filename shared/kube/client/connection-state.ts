/** The state of a connection, as its last probe found it. */
export type ConnectionState =
  | { readonly name: "up" }
  | {
      readonly name: "away";
      /** The time at which it was first found away, in milliseconds since the epoch. */
      readonly since: number;
      /** The reason why it cannot be used, in words. */
      readonly reason: string;
      /** Probes in a row that failed. */
      readonly failures: number;
      /** The time of its next probe, in milliseconds since the epoch. */
      readonly next: number;
    };

/** The pauses from one failed probe to the next, in milliseconds. */
export interface ProbePolicy {
  /** After the first failure; it doubles with each further one. */
  readonly first: number;
  readonly most: number;
}

/** The policy for what every run needs: the home cluster, the bus, a port. */
export const nearPolicy: ProbePolicy = { first: 1_000, most: 5_000 };

/** One of many that may be away for days: another cluster. */
export const farPolicy: ProbePolicy = { first: 5_000, most: 5 * 60_000 };

export const up: ConnectionState = { name: "up" };

/**
 * The state of a connection after a probe.
 * @param reason why it cannot be used; undefined where it can
 * @param random a number from 0 up to 1: takes up to half off the pause, so that many hosts do not ask together
 */
export function probed(
  before: ConnectionState,
  reason: string | undefined,
  now: number,
  policy: ProbePolicy,
  random: number,
): ConnectionState {
  if (reason === undefined) return up;
  const { since, failures } = before.name === "away" ? before : { since: now, failures: 0 };
  const pause = Math.min(policy.most, policy.first * 2 ** Math.min(failures, 20)) * (1 - random / 2);
  return { name: "away", since, reason, failures: failures + 1, next: now + Math.round(pause) };
}
