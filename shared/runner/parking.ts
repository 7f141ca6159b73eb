/** Why a run is parked: what it needs is away, as the probe of that connection says. */
export interface Parking {
  /** The connection, as its pool names it. */
  readonly behind: string;
  /** Why it cannot be used, in words. */
  readonly reason: string;
  /** After how long the key is looked at again. */
  readonly milliseconds: number;
}

/** How it reads in the history. */
export const awayError = (
  { behind, reason }: Pick<Parking, "behind" | "reason">,
  met?: { readonly code: string },
): { readonly code: string; readonly message: string } => ({
  code: "CONNECTION_AWAY",
  message: `${behind} is away${met === undefined ? "" : ` (the run met ${met.code})`}: ${reason}. No attempt is counted; it is looked at again once it answers.`,
});
