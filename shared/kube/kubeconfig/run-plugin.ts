import { spawn } from "node:child_process";
import type { Clock } from "../../clock/clock.ts";

/** A program that tells a credential on its standard output. */
export interface Plugin {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/** The time that a plugin may take: one that waits for a person would hold up every request. */
const PATIENCE = 60_000;
/** More than any credential. */
const MOST_CHARACTERS = 1024 * 1024;
/** The most characters of a plugin's complaint that a sentence holds. */
const COMPLAINT = 2_000;

/** The output of a plugin. Rejects with its complaint where it fails, or does not end. */
export function runPlugin({ command, args, env }: Plugin, clock: Clock): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let output = "";
    let complaint = "";
    const fail = (error: Error): void => {
      patience();
      child.kill();
      reject(error);
    };
    const patience = clock.after(PATIENCE, () =>
      fail(new Error(`it has not ended after ${PATIENCE / 1000} s`)),
    );
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > MOST_CHARACTERS) fail(new Error("it says more than a credential"));
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = `${complaint}${text}`.slice(-COMPLAINT);
    });
    child.once("error", fail);
    child.once("close", (code, signal) => {
      patience();
      if (code === 0) resolve(output);
      else reject(new Error(complaint.trim() || `it ended with ${code ?? signal}`));
    });
  });
}
