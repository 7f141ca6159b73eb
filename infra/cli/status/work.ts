import type { FunctionCounts } from "../../../shared/bus/contract.ts";
import { shortTime, table } from "../output.ts";

/** What each function has to do, for people. */
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
