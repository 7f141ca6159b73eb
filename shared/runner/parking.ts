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
