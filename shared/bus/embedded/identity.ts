import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { BusError } from "../errors.ts";

/**
 * The identity of a process that opened a bus: enough to know later whether it still lives, even when its process number was
 * given to another.
 */
export interface Identity {
  readonly pid: number;
  /** The name of its machine; older versions did not tell it. */
  readonly host?: string | undefined;
  /** The start of the process, in whatever form the system tells it. */
  readonly started: string;
  /** The place in which process numbers mean the same: the machine and, in containers, the namespace. */
  readonly place: string;
  /** The start of the machine. */
  readonly boot: string;
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return undefined;
    throw thrown;
  }
};

/** The start of a process; undefined where there is none of this number. */
function startOf(pid: number): string | undefined {
  if (process.platform === "linux") {
    // The name in brackets may hold spaces and brackets; the start is the 20th field after it (proc(5)).
    const stat = read(`/proc/${pid}/stat`);
    return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  }
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH") return undefined;
  }
  if (process.platform === "win32") return "";
  return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
}

function placeOf(): string {
  if (process.platform !== "linux") return hostname();
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return hostname();
    throw thrown;
  }
}

export const newIdentity = (): Identity => ({
  pid: process.pid,
  host: hostname(),
  started: startOf(process.pid) ?? "",
  place: placeOf(),
  boot: read("/proc/sys/kernel/random/boot_id") ?? "",
});

/** True where the other is certainly gone. */
export function isGone(self: Identity, other: Identity): boolean {
  if (other.boot !== self.boot && other.boot !== "" && self.boot !== "") return true;
  if (other.place !== self.place) return false;
  return startOf(other.pid) !== other.started;
}

/** The refusal of a bus that another process has. */
export const heldBy = (file: string, { pid, host }: Pick<Identity, "pid" | "host">): BusError =>
  new BusError(
    "BUS_HELD",
    `${file} belongs to process ${pid}${host === undefined ? "" : ` on ${host}`}, and to one process only: stop that one first, name another file, or use NATS (bus.kind: nats) where several processes are to share the work.`,
  );
