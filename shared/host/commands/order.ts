import { jsonOf } from "../../json/parse.ts";
/** A command's time and id. Of two commands about one object the later one counts, of two at once the one with the greater id. */
export interface Said {
  /** RFC 3339. */
  readonly at: string;
  /** The command's event id. */
  readonly command: string;
}

export type Order = "news" | "same" | "older";

/** The order of a command and the last one that took effect. */
export function orderOf(next: Said, last: Said | undefined): Order {
  if (last === undefined) return "news";
  if (next.command === last.command) return "same";
  const apart = Date.parse(next.at) - Date.parse(last.at);
  return apart > 0 || (apart === 0 && next.command > last.command) ? "news" : "older";
}

/** The command that is written beside a pause. Undefined where somebody else wrote there. */
export function parseSaid(text: string | undefined): Said | undefined {
  if (text === undefined) return undefined;
  const said = jsonOf(text) as Partial<Said> | null | undefined;
  return typeof said?.at === "string" && typeof said.command === "string"
    ? { at: said.at, command: said.command }
    : undefined;
}
