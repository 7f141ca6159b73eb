import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../../../shared/errors.ts";
import type { Log } from "../../../../../shared/log/log.ts";
import { keyOf, type Waiting } from "../told/index.ts";

/** Objects that may wait at once: beyond, they are told as one. */
const MOST = 5_000;
const SUFFIX = ".json";

/** Keeps what is still to be told, a file for each object: the program may end at any moment. */
export class WaitingFolder {
  readonly #folder: string;
  readonly #all = new Map<string, Waiting>();

  /** Reads what a former process left. What cannot be read is told and left out. */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (!name.endsWith(SUFFIX)) {
        rmSync(file, { force: true, recursive: true });
        continue;
      }
      try {
        const waiting = JSON.parse(readFileSync(file, "utf8")) as Waiting;
        this.#all.set(keyOf(waiting.change), waiting);
      } catch (thrown) {
        log.warn({ file, reason: messageOf(thrown) }, "cannot read what is still to be told");
        rmSync(file, { force: true });
      }
    }
  }

  get size(): number {
    return this.#all.size;
  }

  all(): Iterable<Waiting> {
    return this.#all.values();
  }

  /** True where there is no room for an object that does not wait yet. */
  isFull(key: string): boolean {
    return this.#all.size >= MOST && !this.#all.has(key);
  }

  /** Keeps it, in the place of what was known of that object. It is on the disk when this returns. */
  put(waiting: Waiting): void {
    const key = keyOf(waiting.change);
    const file = this.#fileOf(key);
    writeFileSync(`${file}.new`, JSON.stringify(waiting), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    this.#all.set(key, waiting);
  }

  /** Puts what is left of it into its place, unless a newer change is there already. */
  settle(before: Waiting, after: Waiting | undefined): void {
    const key = keyOf(before.change);
    if (this.#all.get(key) !== before) return;
    if (after !== undefined) {
      this.put(after);
      return;
    }
    rmSync(this.#fileOf(key), { force: true });
    this.#all.delete(key);
  }

  #fileOf(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex").slice(0, 40)}${SUFFIX}`);
  }
}
