import type { Bus, FunctionCounts } from "../../../shared/bus/contract.ts";
import { shortTime, table } from "../output.ts";

const nothing: FunctionCounts = {
  waiting: 0,
  running: 0,
  retrying: 0,
  dead: 0,
  parked: 0,
  deadlines: 0,
  oldest: 0,
};

/** What each function has to do; one that has nothing has no line of its own in the bus. */
export async function workOf(
  bus: Pick<Bus, "counts">,
  functions: readonly { readonly name: string }[],
): Promise<Readonly<Record<string, FunctionCounts>>> {
  const idle = Object.fromEntries(functions.map(({ name }) => [name, nothing]));
  return { ...idle, ...(await bus.counts()) };
}

/** The same for people. */
export const workTable = (counts: Readonly<Record<string, FunctionCounts>>): string =>
  table(
    ["function", "waiting", "running", "retrying", "dead", "parked", "deadlines", "lag"],
    Object.entries(counts).map(([name, one]) => [
      name === "-" ? "(refused events)" : name,
      one.waiting,
      one.running,
      one.retrying,
      one.dead,
      one.parked,
      one.deadlines,
      one.waiting === 0 ? "-" : shortTime(one.oldest),
    ]),
  );
