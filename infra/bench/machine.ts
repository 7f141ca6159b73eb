import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const ticksPerSecond = (): number => Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
let ticks: number | undefined;

/** The reason why a process cannot be looked at here; undefined where it can. */
export const missingProc = (): string | undefined =>
  process.platform === "linux"
    ? undefined
    : "memory and CPU of a process are read from /proc, which only Linux has";

/** User and system seconds that a process has used so far. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold spaces; user and system time are the 12th and 13th field after it (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  ticks ??= ticksPerSecond();
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

export interface Memory {
  /** Mebibytes. */
  readonly resident: number;
  /** Without the pages of the executable. */
  readonly anonymous: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { resident: mebibytes("VmRSS"), anonymous: mebibytes("RssAnon") };
}
