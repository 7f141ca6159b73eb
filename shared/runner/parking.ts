import { ClusterSlowError } from "../kube/client/index.ts";

/** The milliseconds after which it is known of a cluster that lets another run wait whether it is away. */
const SLOW_MILLISECONDS = 4_000;

/** The reason why a run is parked: a connection that it needs is away, as its probe says. */
export interface Parking {
  /** The connection, as its pool names it. */
  readonly behind: string;
  /** The reason why it cannot be used, in words. */
  readonly reason: string;
  /** After how long the key is looked at again. */
  readonly milliseconds: number;
}

/** The error of a parked run in the history. */
export const awayError = (
  { behind, reason }: Pick<Parking, "behind" | "reason">,
  met?: { readonly code: string },
): { readonly code: string; readonly message: string } => ({
  code: "CONNECTION_AWAY",
  message: `${behind} is away${met === undefined ? "" : ` (the run met ${met.code})`}: ${reason}. No attempt is counted; it is looked at again once it answers.`,
});

/** The parking of a run that met a cluster of which another run does not know yet whether it hangs; undefined where it met something else. */
export const slowParking = (thrown: unknown): Pick<Parking, "behind" | "milliseconds"> | undefined =>
  thrown instanceof ClusterSlowError
    ? { behind: thrown.reference, milliseconds: SLOW_MILLISECONDS }
    : undefined;
