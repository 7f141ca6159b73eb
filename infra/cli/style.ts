import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];
/** Colours a text, or leaves it. */
export type Paint = (format: Format, text: string) => string;

export const plain: Paint = (_, text) => text;

/** Colours on a terminal alone, and not where NO_COLOR is set (no-color.org). */
export function paintFor(stream: { readonly isTTY?: boolean | undefined }, environment = process.env): Paint {
  if (environment.FORCE_COLOR !== undefined && environment.FORCE_COLOR !== "0") return painted;
  const isWanted = stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== "dumb";
  return isWanted ? painted : plain;
}
const painted: Paint = (format, text) => styleText(format, text, { validateStream: false });
