import type { FunctionCounts } from "../../../shared/bus/contract.ts";
import { shortTime, table } from "../../../shared/text.ts";

/** The lines about keys whose connection was away; none where there are no such keys. */
export function awayLines(counts: Readonly<Record<string, FunctionCounts>>): readonly string[] {
  const away = Object.values(counts).reduce((sum, one) => sum + one.away, 0);
  if (away === 0) return [];
  return [
    "",
    `${away} ${away === 1 ? "key waits" : "keys wait"} behind a connection that was away: \`reveille why\` tells which. No attempt is counted, and nothing has to be redriven.`,
  ];
}

/** The work of each function, for people. */
export const workTable = (counts: Readonly<Record<string, FunctionCounts>>): string =>
  table(
    ["function", "waiting", "running", "retrying", "dead", "parked", "away", "deadlines", "lag"],
    Object.entries(counts).map(([name, one]) => [
      name === "-" ? "(refused events)" : name,
      one.waiting,
      one.running,
      one.retrying,
      one.dead,
      one.parked,
      one.away,
      one.deadlines,
      one.waiting === 0 ? "-" : shortTime(one.oldest),
    ]),
  );
