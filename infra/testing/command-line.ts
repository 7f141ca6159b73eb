import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const main = join(import.meta.dirname, "../cli/main.ts");
/** For failures only: on a busy machine everything takes its time. */
const DEADLINE = 120_000;

/** The end of a command line. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when stdout or stderr holds the text (as often as asked); rejects when it ends first or takes too long. */
  says(text: string, times?: number): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** A test, or a file of tests, that is told what to do at its end. */
export interface Ending {
  onTestFinished(end: () => unknown): unknown;
}

/** Starts `reveille` as a process of its own; it is killed at the end of the test. */
export function startReveille(
  t: Ending,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Running {
  const child = spawn(process.execPath, [main, ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...environment },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    child.emit("said");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    child.emit("said");
  });
  const ended = once(child, "close").then(
    ([code]): Ended => ({ code: code as number | null, stdout, stderr }),
  );
  t.onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const says = async (text: string, times = 1): Promise<void> => {
    const signal = AbortSignal.timeout(DEADLINE);
    while (`${stdout}\n${stderr}`.split(text).length <= times) {
      if (child.exitCode !== null || child.signalCode !== null || signal.aborted)
        throw new Error(`it never said "${text}":\n${stdout}\n${stderr}`);
      await Promise.race([once(child, "said", { signal }), ended]).catch((reason: unknown) => {
        if (!signal.aborted) throw reason;
      });
    }
  };
  return { child, stdout: () => stdout, stderr: () => stderr, says, ended };
}

/** Runs `reveille` to its end. */
export const reveille = (
  t: Ending,
  words: readonly string[],
  environment?: NodeJS.ProcessEnv,
): Promise<Ended> => startReveille(t, words, environment).ended;

/** A folder of the test's own, removed at its end. */
export function temporaryFolder(t: Ending): string {
  const folder = mkdtempSync(join(tmpdir(), "reveille-cli-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
