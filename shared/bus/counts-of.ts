import type { Bus, FunctionCounts } from "./contract.ts";

/** The counts of a function that has nothing to do. */
export const noCounts: FunctionCounts = {
  waiting: 0,
  running: 0,
  retrying: 0,
  dead: 0,
  parked: 0,
  away: 0,
  deadlines: 0,
  oldest: 0,
};

/** The work of each of these functions, and of others that the bus knows; an idle one has no line of its own in the bus. */
export const countsOf = async (
  bus: Pick<Bus, "counts">,
  functions: readonly string[],
): Promise<Readonly<Record<string, FunctionCounts>>> => ({
  ...Object.fromEntries(functions.map((name) => [name, noCounts])),
  ...(await bus.counts()),
});
