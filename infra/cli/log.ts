import pino from "pino";
import type { Log } from "../../shared/log/log.ts";
import type { Paint } from "./style.ts";
import { timeOfDay } from "./timeline/timeline.ts";

export type LogFormat = "json" | "pretty";

interface Line {
  readonly time: number;
  readonly level: number;
  readonly msg: string;
  readonly part?: string;
  readonly [field: string]: unknown;
}
const WARN = 40;
const ERROR = 50;
const known = new Set(["time", "level", "msg", "part", "pid", "hostname"]);

/**
 * `json`: pino's lines on stdout, nothing else goes there. `pretty`: warnings and errors as lines for people on stderr; the
 * timeline tells the rest, failures of functions included.
 */
export function createLog(format: LogFormat, paint: Paint): Log {
  const level = process.env.REVEILLE_LOG_LEVEL ?? (format === "json" ? "info" : "warn");
  if (format === "json") return jsonLog(level);
  return pino(
    { level, base: null },
    {
      write(text: string) {
        const line = JSON.parse(text) as Line;
        if (line.part === "host" && line.level === WARN) return;
        process.stderr.write(`${prettyLine(line, paint)}\n`);
      },
    },
  );
}

/** pino's lines on stdout, from this level on. */
export const jsonLog = (level: string, base: object = {}): Log =>
  pino({ level, base }, pino.destination({ fd: 1, sync: true }));

function prettyLine(line: Line, paint: Paint): string {
  const word =
    line.level >= ERROR ? paint("red", "error") : line.level >= WARN ? paint("yellow", "warn ") : "info ";
  const fields = Object.entries(line)
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : shortJson(value)}`)
    .join(" ");
  return `${paint("dim", timeOfDay(line.time))} ${word} ${line.part === undefined ? "" : `${line.part}: `}${line.msg}${fields === "" ? "" : paint("dim", ` ${fields}`)}`;
}

/** A value as short JSON. Of an error only its message: traces are for `--log json`. */
function shortJson(value: unknown): string {
  const message =
    typeof value === "object" && value !== null && "message" in value ? value.message : undefined;
  return typeof message === "string" ? message : (JSON.stringify(value) ?? "");
}
