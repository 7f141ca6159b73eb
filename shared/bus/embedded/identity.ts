import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { threadId } from "node:worker_threads";

/**
 * The identity of a process that opened a bus: enough to know later whether it still lives, even when its process number was
 * given to another.
 */
export interface Identity {
  readonly nonce: string;
  readonly pid: number;
  readonly thread: number;
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

/** The identities that live in this thread. */
const living = new Set<string>();

export function newIdentity(): Identity {
  const nonce = randomUUID();
  living.add(nonce);
  return {
    nonce,
    pid: process.pid,
    thread: threadId,
    started: startOf(process.pid) ?? "",
    place: placeOf(),
    boot: read("/proc/sys/kernel/random/boot_id") ?? "",
  };
}

/** This opening of the bus is over. */
export const bury = (identity: Identity): void => {
  living.delete(identity.nonce);
};

/** True where the other is certainly gone. Where that cannot be known, its lease decides. */
export function isGone(self: Identity, other: Identity): boolean {
  if (other.boot !== self.boot && other.boot !== "" && self.boot !== "") return true;
  if (other.place !== self.place) return false;
  if (other.pid === self.pid && other.started === self.started)
    return other.thread === self.thread && !living.has(other.nonce);
  return startOf(other.pid) !== other.started;
}
