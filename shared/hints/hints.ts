import { type Clock, systemClock } from "../clock/clock.ts";
import type { KubeObject } from "../kube/object.ts";
import { isNewer } from "../kube/resource-version.ts";

export interface HintLimits {
  /** Estimated bytes at most, whatever happens: beyond, runs read from the server. Default 24 MiB. */
  readonly busy: number;
  /** Estimated bytes once nothing new was seen for a while. Default 2 MiB. */
  readonly atRest: number;
}

const MEBIBYTE = 1024 * 1024;
const REST_MILLISECONDS = 5_000;
/** An answer that is late by more ends than this would cost a run that decides on what is gone. */
const REMEMBERED_ENDS = 1_000;
/** Objects that are nested deeper are read from the server: neither JSON.stringify nor a schema can bear all that it takes. */
const DEEPEST = 500;

interface Seen {
  readonly object: KubeObject;
  readonly bytes: number;
}

/**
 * The objects that this process has just seen: its watcher and the answers to its writes tell them. They spare reads where every
 * write is fenced with their version. Bounded by size: while much changes at once there is room for all that waits, at rest
 * only for what was seen last. Whatever falls out is read from the server.
 *
 * Of use only beside a watcher: a process without one would decide on what it wrote last, and that may be old.
 */
export class Hints {
  readonly #seen = new Map<string, Seen>();
  /** The versions that objects ended with; the one that ended longest ago first. */
  readonly #ends = new Map<string, string>();
  readonly #clock: Clock;
  readonly #limits: HintLimits;
  #bytes = 0;
  #seenAt = 0;
  #isWatchingForRest = false;

  constructor(clock: Clock = systemClock, limits: Partial<HintLimits> = {}) {
    this.#clock = clock;
    this.#limits = { busy: 24 * MEBIBYTE, atRest: 2 * MEBIBYTE, ...limits };
  }

  /** The latest that was seen of an object, perhaps outdated: a hint, never a ground. */
  get = (subject: string): KubeObject | undefined => this.#seen.get(subject)?.object;

  /** Keeps it unless a newer version of the same object is known. */
  saw = (subject: string, object: KubeObject): void => {
    const known = this.#seen.get(subject);
    // Whatever its uid: the late answer to a write of an object that was re-created meanwhile is older too.
    if (
      known !== undefined &&
      isNewer(known.object.metadata.resourceVersion, object.metadata.resourceVersion)
    )
      return;
    const end = this.#ends.get(subject);
    if (end !== undefined && !isNewer(object.metadata.resourceVersion, end)) return;
    this.#ends.delete(subject);
    this.#drop(subject);
    const bytes = sizeOf(object);
    if (bytes > this.#limits.busy) return;
    this.#seen.set(subject, { object, bytes });
    this.#bytes += bytes;
    this.#shrinkTo(this.#limits.busy);
    this.#seenAt = this.#clock.now();
    if (this.#bytes > this.#limits.atRest && !this.#isWatchingForRest) this.#watchForRest(REST_MILLISECONDS);
  };

  /** It ended with this version: the late answer to a write does not bring it back. */
  gone = (subject: string, resourceVersion: string): void => {
    this.#drop(subject);
    this.#ends.delete(subject);
    this.#ends.set(subject, resourceVersion);
    if (this.#ends.size <= REMEMBERED_ENDS) return;
    for (const oldest of this.#ends.keys()) {
      this.#ends.delete(oldest);
      return;
    }
  };

  #drop(subject: string): void {
    this.#bytes -= this.#seen.get(subject)?.bytes ?? 0;
    this.#seen.delete(subject);
  }

  /** The API server went back: what was seen before may never have been, and its versions are given again. */
  forgetAll = (): void => {
    this.#seen.clear();
    this.#ends.clear();
    this.#bytes = 0;
  };

  #shrinkTo(limit: number): void {
    for (const subject of this.#seen.keys()) {
      if (this.#bytes <= limit) return;
      this.#drop(subject);
    }
  }

  #watchForRest(milliseconds: number): void {
    this.#isWatchingForRest = true;
    this.#clock.after(milliseconds, () => {
      this.#isWatchingForRest = false;
      const left = this.#seenAt + REST_MILLISECONDS - this.#clock.now();
      if (left > 0) this.#watchForRest(left);
      else this.#shrinkTo(this.#limits.atRest);
    });
  }
}

/** About what a parsed object takes on the heap: characters, and some for each value and field. What is nested too deep fits nowhere. */
function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === "string") return 24 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  if (depth === DEEPEST) return Number.POSITIVE_INFINITY;
  let bytes = 40;
  if (Array.isArray(value)) for (const each of value) bytes += sizeOf(each, depth + 1);
  else
    for (const name in value)
      bytes += 8 + sizeOf((value as Readonly<Record<string, unknown>>)[name], depth + 1);
  return bytes;
}
