import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../../../shared/errors.ts";
import type { Log } from "../../../../../shared/log/log.ts";
import { keyOf, type Waiting, waitingIn } from "../told/index.ts";

/** Objects that may wait at once: beyond, they are told as one. */
const MOST = 5_000;
/** Managers for which something may wait at once: whoever asks may make up their names. */
const MOST_MANAGERS = 100;
/** The names of its files, and of one that was being written when the process ended. */
const FILE = /^[0-9a-f]{40}\.json$/;
const HALF = /^[0-9a-f]{40}\.json\.new$/;

/**
 * Keeps what is still to be told, a file for each object: the program may end at any moment. Where the disk takes nothing it is kept in memory:
 * should it be lost then, the next process begins by telling that anything may have changed.
 */
export class WaitingFolder {
  readonly #folder: string;
  readonly #log: Log;
  #isFailing = false;
  readonly #all = new Map<string, Waiting>();
  /** The number of objects that wait for each manager. */
  readonly #managers = new Map<string, number>();

  /** Reads what a former process left. What cannot be read is told and taken out; what others keep there stays. */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = join(folder, entry.name);
      const isOwn = entry.isFile() && FILE.test(entry.name);
      const waiting = isOwn ? this.#read(file) : undefined;
      if (waiting !== undefined) this.#keep(waiting);
      else if (isOwn || (entry.isFile() && HALF.test(entry.name))) this.#onDisk(() => rmSync(file));
    }
  }

  /** Undefined where it says nothing that is to be told, or says it under another name than it would be taken away by. */
  #read(file: string): Waiting | undefined {
    try {
      const waiting = waitingIn(JSON.parse(readFileSync(file, "utf8")));
      if (waiting !== undefined && this.#fileOf(keyOf(waiting.change)) === file) return waiting;
      this.#log.warn({ file }, "cannot read what is still to be told: another program wrote it");
    } catch (thrown) {
      this.#log.warn({ file, reason: messageOf(thrown) }, "cannot read what is still to be told");
    }
    return undefined;
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

  /** True where nothing may wait for one manager more. */
  isForeign(manager: string): boolean {
    return this.#managers.size >= MOST_MANAGERS && !this.#managers.has(manager);
  }

  #keep(waiting: Waiting): void {
    const key = keyOf(waiting.change);
    const { manager } = waiting.change;
    if (!this.#all.has(key)) this.#managers.set(manager, (this.#managers.get(manager) ?? 0) + 1);
    this.#all.set(key, waiting);
  }

  /** Keeps it, in the place of what was known of that object. It is on the disk when this returns, if that has room. */
  put(waiting: Waiting): void {
    const key = keyOf(waiting.change);
    const file = this.#fileOf(key);
    this.#keep(waiting);
    const isKept = this.#onDisk(() => {
      writeFileSync(`${file}.new`, JSON.stringify(waiting), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    });
    if (!isKept) this.#onDisk(() => rmSync(`${file}.new`, { force: true }));
  }

  /** Puts what is left of it into its place, unless a newer change is there already. */
  settle(before: Waiting, after: Waiting | undefined): void {
    const key = keyOf(before.change);
    if (this.#all.get(key) !== before) return;
    if (after !== undefined) {
      this.put(after);
      return;
    }
    this.#all.delete(key);
    const { manager } = before.change;
    const left = (this.#managers.get(manager) ?? 1) - 1;
    if (left === 0) this.#managers.delete(manager);
    else this.#managers.set(manager, left);
    this.#onDisk(() => rmSync(this.#fileOf(key), { force: true }));
  }

  /** Changes the disk: true where that was done. Where not, it is said once. */
  #onDisk(change: () => void): boolean {
    try {
      change();
      this.#isFailing = false;
      return true;
    } catch (thrown) {
      if (!this.#isFailing)
        this.#log.warn(
          { folder: this.#folder, reason: messageOf(thrown) },
          "cannot keep on the disk what is still to be told; it is kept in memory",
        );
      this.#isFailing = true;
      return false;
    }
  }

  #fileOf(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex").slice(0, 40)}.json`);
  }
}
