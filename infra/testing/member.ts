import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const PROGRAM = join(import.meta.dirname, "../cli/main.ts");
/** The pause before a restart, as before a kubelet starts a container again. */
const RESTART_MILLISECONDS = 1_000;

/** A process of Reveille that is started again whenever it dies, as a Deployment would. */
export class Member {
  readonly name: string;
  readonly #words: readonly string[];
  readonly #logFile: string;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #running: Promise<void> | undefined;
  #isStopping = false;
  /** The number of times that it ended by itself, without being killed. */
  failures = 0;
  #killed = false;

  /**
   * @param words what follows `reveille`
   * @param environment added to that of this process
   */
  constructor(name: string, words: readonly string[], logFile: string, environment: NodeJS.ProcessEnv = {}) {
    this.name = name;
    this.#words = words;
    this.#logFile = logFile;
    this.#environment = environment;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** SIGKILL; it comes back by itself. */
  kill(): void {
    this.#killed = true;
    this.#child?.kill("SIGKILL");
  }

  /** SIGSTOP for so long: it holds connections and leases, and does nothing. */
  async freeze(milliseconds: number): Promise<void> {
    const child = this.#child;
    child?.kill("SIGSTOP");
    await pause(milliseconds);
    child?.kill("SIGCONT");
  }

  /** SIGTERM, as at a roll-out; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child?.kill("SIGTERM");
    const killer = setTimeout(() => this.#child?.kill("SIGKILL"), 35_000);
    await this.#running;
    clearTimeout(killer);
  }

  async #run(): Promise<void> {
    const log = createWriteStream(this.#logFile, { flags: "a" });
    while (!this.#isStopping) {
      this.#killed = false;
      const child = spawn(process.execPath, [PROGRAM, ...this.#words], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ...this.#environment },
      });
      this.#child = child;
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      await once(child, "exit");
      if (this.#isStopping) break;
      if (!this.#killed) this.failures += 1;
      await pause(RESTART_MILLISECONDS);
    }
    log.end();
  }
}
