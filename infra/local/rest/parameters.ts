import { badRequest } from "../api-error.ts";

/** A flag of a query as Go reads it: given and not plainly false. */
export const isTrue = (text: string | null): boolean =>
  text !== null && !["0", "false"].includes(text.toLowerCase());

const largest = 2n ** 63n;

/** A whole number of a query; undefined where it is not given. Throws a 400. */
export function integerParameter(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  const refused = (why: string): Error =>
    badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  if (!/^[+-]?\d+$/.test(text)) throw refused("invalid syntax");
  const value = BigInt(text.replace("+", ""));
  if (value >= largest || value < -largest) throw refused("value out of range");
  return Number(value);
}
