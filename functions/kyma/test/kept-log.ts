import { inspect } from "node:util";
import type { Log } from "../../../shared/log/log.ts";

/** A log that keeps its lines. */
export function keptLog(): { readonly log: Log; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const line = (fields: object, message: string): void =>
    void lines.push(`${message} ${inspect(fields, { depth: 9 })}`);
  const log: Log = { debug: line, info: line, warn: line, error: line, child: () => log };
  return { log, lines };
}
