import type { Bus, FunctionCounts } from "./contract.ts";

/** Of a function that has nothing to do. */
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

/** What each of these functions has to do, and whoever else the bus knows; one that has nothing has no line of its own in the bus. */
export const countsOf = async (
  bus: Pick<Bus, "counts">,
  functions: readonly string[],
): Promise<Readonly<Record<string, FunctionCounts>>> => ({
  ...Object.fromEntries(functions.map((name) => [name, noCounts])),
  ...(await bus.counts()),
});
