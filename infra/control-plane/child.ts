import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { basename } from "node:path";
import type { Clock } from "../../shared/clock/clock.ts";
import type { Log } from "../../shared/log/log.ts";
import { ControlPlaneError } from "./errors.ts";

/** Waits for the end of its input, which comes with the end of whoever holds the other side, however that ended. */
const GUARD = 'read -r _; kill -KILL "$1" 2>/dev/null; if [ -n "$2" ]; then rm -rf -- "$2"; fi';
const LAST_WORDS = 2000;
/** The number of times within a minute that a program which ends by itself is started again. */
const MOST_REVIVALS = 5;
const MINUTE = 60_000;

export interface ChildOptions {
  readonly program: string;
  readonly flags: readonly string[];
  /** Beside what this process has. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The file of its output, appended over restarts. */
  readonly logFile: string;
  /** Removed when this process dies without stopping the child. */
  readonly removeOnDeath?: string | undefined;
  readonly log: Log;
}

/** One program of the control plane: it can be killed, frozen and started again, and it dies with this process. */
export class Child {
  readonly name: string;
  readonly logFile: string;
  readonly #options: ChildOptions;
  #running:
    | {
        readonly child: ChildProcess;
        readonly guard: ChildProcess;
        readonly exited: Promise<string>;
        wanted: boolean;
      }
    | undefined;

  /** Set once it is to be kept alive. */
  #keeper: { readonly clock: Clock; ends: readonly number[]; cancel: () => void } | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.name = basename(options.program);
    this.logFile = options.logFile;
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /**
   * Keeps it alive from now on: it is started again when it ends by itself, a second later and then after longer pauses; where
   * that goes on and on, it stays down and the log says what to do.
   */
  keepAlive(clock: Clock): void {
    this.#keeper = { clock, ends: [], cancel: () => undefined };
  }

  /** Starts it; nothing happens while it runs. */
  start(): void {
    if (this.#running !== undefined) return;
    this.#keeper?.cancel();
    const { program, flags, environment, logFile, removeOnDeath, log } = this.#options;
    const output = openSync(logFile, "a", 0o600);
    // Detached: Ctrl-C in the terminal is for us, we then stop the parts in order.
    const child = spawn(program, [...flags], {
      stdio: ["ignore", output, output],
      detached: true,
      ...(environment !== undefined && { env: { ...process.env, ...environment } }),
    });
    closeSync(output);
    const guard = spawn("/bin/sh", ["-c", GUARD, "guard", String(child.pid ?? ""), removeOnDeath ?? ""], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    const exited = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    const running = { child, guard, exited, wanted: true };
    this.#running = running;
    exited.then((how) => {
      guard.kill("SIGKILL");
      if (this.#running === running) this.#running = undefined;
      if (running.wanted) {
        log.error({ part: this.name, how, logFile }, "a part of the control plane ended by itself");
        this.#revive();
      }
    });
    // None of this keeps our process alive: whoever waits for an end says so.
    child.unref();
    guard.unref();
    if (guard.stdin instanceof Socket) guard.stdin.unref();
    guard.stdin?.on("error", () => log.debug({ part: this.name }, "the guard ended first"));
  }

  #revive(): void {
    const keeper = this.#keeper;
    if (keeper === undefined) return;
    const now = keeper.clock.now();
    keeper.ends = [...keeper.ends.filter((end) => now - end < MINUTE), now];
    const { log, logFile } = this.#options;
    if (keeper.ends.length > MOST_REVIVALS) {
      log.error(
        { part: this.name, logFile },
        "a part of the control plane ends again and again and stays down: read its log, end this with Ctrl-C, and start it anew (with --reset if its files are broken)",
      );
      return;
    }
    keeper.cancel = keeper.clock.after(1000 * 2 ** (keeper.ends.length - 1), () => {
      log.warn({ part: this.name }, "a part of the control plane is started again");
      this.start();
    });
  }

  /** Rejects with what it wrote last as soon as it has ended; never resolves. */
  async failure(): Promise<never> {
    const running = this.#running;
    if (running === undefined) throw this.#ended("it is not running");
    throw this.#ended(await running.exited);
  }

  /** Sends the signal and resolves when it has ended. SIGKILL follows where `SIGTERM` has not sufficed after `graceMilliseconds`. */
  async kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL", graceMilliseconds = 5000): Promise<void> {
    this.#keeper?.cancel();
    const running = this.#running;
    if (running === undefined) return;
    running.wanted = false;
    running.child.ref();
    running.child.kill(signal);
    const killer = setTimeout(() => running.child.kill("SIGKILL"), graceMilliseconds);
    await running.exited;
    clearTimeout(killer);
  }

  /** SIGSTOP: connections stay open and nothing answers. */
  freeze(): void {
    this.#running?.child.kill("SIGSTOP");
  }

  /** SIGCONT. */
  thaw(): void {
    this.#running?.child.kill("SIGCONT");
  }

  /** For the end of this process, where nothing can be awaited. */
  abandon(): void {
    this.#keeper?.cancel();
    if (this.#running === undefined) return;
    this.#running.wanted = false;
    this.#running.child.kill("SIGKILL");
  }

  #ended(how: string): ControlPlaneError {
    const words = readFileSync(this.logFile, "utf8").slice(-LAST_WORDS);
    return new ControlPlaneError(
      "FAILED",
      `${this.name} ended (${how}). Its log ${this.logFile} says last:\n${words}`,
    );
  }
}
