import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Options of Node, as infra/cli/flags-of-node.ts sets them for a worker. */
export const AS_A_WORKER = ["--always-sparkplug", "--heap-growing-percent=80"];
/** The same for a watcher. */
export const AS_A_WATCHER = ["--semi-space-growth-factor=1", "--optimize-for-size"];

/** A program that has printed `ready`. */
export interface Program {
  readonly pid: number;
  /** Milliseconds from its start to `ready`. */
  readonly started: number;
  stop(): Promise<void>;
}

const START_MILLISECONDS = 60_000;

/** Starts a program of Node and waits for the line that says it is ready. */
export async function startProgram(
  args: readonly string[],
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly isReady?: (line: string) => boolean;
    /** Called with each line that the program prints. */
    readonly onLine?: (line: string) => void;
    readonly cwd?: string;
  } = {},
): Promise<Program> {
  const { environment = {}, isReady = (line) => line.trim() === "ready", cwd, onLine } = options;
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
    ...(cwd !== undefined && { cwd }),
  });
  const ended = once(child, "exit");
  await becomesReady(child, (line) => {
    onLine?.(line);
    return isReady(line);
  });
  return {
    pid: child.pid ?? 0,
    started: performance.now() - began,
    stop: async () => {
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(killer);
    },
  };
}

async function becomesReady(child: ChildProcess, isReady: (line: string) => boolean): Promise<void> {
  if (child.stdout === null) throw new Error("a program without output");
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${child.spawnargs.join(" ")} was not ready within ${START_MILLISECONDS / 1000} s`));
    }, START_MILLISECONDS);
    lines.on("line", (line) => {
      if (!isReady(line)) return;
      clearTimeout(late);
      resolve();
    });
    child.once("exit", (code) => {
      clearTimeout(late);
      reject(new Error(`${child.spawnargs.join(" ")} ended with ${code} before it was ready`));
    });
  });
}

/** The file of a program of this folder. */
export const programFile = (name: string): string => join(import.meta.dirname, name);
