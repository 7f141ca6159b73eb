import { type Finding, join, type Mark, markOf, weightOf, withoutHistory } from "./mark.ts";
import type { Sighting } from "./sighting.ts";

/** The number of keys of all streams that may be dirty, the number of them by compares, and the memory that they may take. */
export interface Limits {
  readonly dirty: number;
  readonly compared: number;
  /** Roughly, and of what tenants determine: facts and owners. */
  readonly bytes: number;
}

/** The room that all streams share. */
export class Room {
  readonly #limits: Limits;
  #dirty = 0;
  #bytes = 0;
  #waiting: { readonly fits: () => boolean; readonly go: () => void }[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get dirty(): number {
    return this.#dirty;
  }
  get bytes(): number {
    return this.#bytes;
  }
  get isFull(): boolean {
    return this.#dirty >= this.#limits.dirty || this.#bytes >= this.#limits.bytes;
  }

  add(count: number, bytes: number): void {
    this.#dirty += count;
    this.#bytes += bytes;
    const go = this.#waiting.filter(({ fits }) => fits());
    if (go.length === 0) return;
    this.#waiting = this.#waiting.filter((one) => !go.includes(one));
    for (const one of go) one.go();
  }

  /** Resolves when a stream that was cut off for want of room may go on: half is free, so that it is not cut off at once. */
  forStream(signal: AbortSignal): Promise<void> {
    return this.#below({ dirty: Math.ceil(this.#limits.dirty / 2), bytes: this.#limits.bytes / 2 }, signal);
  }

  /** Resolves when a compare may mark on: lists are read at the publisher's pace. */
  forCompare(signal: AbortSignal): Promise<void> {
    return this.#below({ dirty: this.#limits.compared, bytes: this.#limits.bytes / 4 }, signal);
  }

  #below(below: Pick<Limits, "dirty" | "bytes">, signal: AbortSignal): Promise<void> {
    const fits = (): boolean => this.#dirty < below.dirty && this.#bytes < below.bytes;
    if (fits()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const one = {
        fits,
        go: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      const stop = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== one);
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.push(one);
    });
  }
}

type Queue = Map<string, Mark>;

/** The place of an object of which something came that is not judged yet. */
interface Place {
  readonly before: string;
  readonly isPlace: true;
}

const isPlace = (entry: Mark | Place): entry is Place => "isPlace" in entry;

/** The objects of one stream that are not yet published as they are, in the order in which they became so. */
export class DirtyKeys {
  readonly #room: Room;
  /** With the places of what is held, so that nothing that came after it counts as published. */
  readonly #urgent = new Map<string, Mark | Place>();
  readonly #sweep: Queue = new Map();
  /** The number of keys that a compare found: all that wait in the sweep lane, and some that wait in the other. */
  #compared = 0;
  #bytes = 0;
  /** Taken out and neither published nor put back yet. */
  readonly #taken: Queue = new Map();

  constructor(room: Room) {
    this.#room = room;
  }

  get size(): number {
    return this.#urgent.size + this.#sweep.size;
  }
  has(uid: string): boolean {
    return this.#urgent.has(uid) || this.#sweep.has(uid);
  }
  /** The version of an object that was seen last and is not recorded yet. */
  versionOf(uid: string): string | undefined {
    const mark = this.#marked(uid) ?? this.#taken.get(uid);
    return mark?.last.resourceVersion;
  }

  /** True where a lane holds something. */
  holds(lane: "urgent" | "sweep"): boolean {
    return (lane === "urgent" ? this.#urgent : this.#sweep).size > 0;
  }

  /** True where a new key finds room; one that is dirty already needs none. */
  admits(uid: string): boolean {
    return !this.#room.isFull || this.has(uid);
  }

  mark(sighting: Sighting, finding: Finding): void {
    this.#put(markOf(sighting, finding));
  }

  /** Keeps a place for an object that is not dirty: what comes later does not count as published before it is released or marked. */
  hold(uid: string, before: string): void {
    if (this.has(uid)) return;
    this.#urgent.set(uid, { before, isPlace: true });
    this.#room.add(1, 0);
  }

  /** Gives up the place of an object, unless it became dirty. */
  release(uid: string): void {
    const entry = this.#urgent.get(uid);
    if (entry === undefined || !isPlace(entry)) return;
    this.#urgent.delete(uid);
    this.#room.add(-1, 0);
  }

  /** Takes the oldest of a lane out: from now on a new sighting marks it anew. */
  take(lane: "urgent" | "sweep"): Mark | undefined {
    const queue = lane === "urgent" ? this.#urgent : this.#sweep;
    for (const [uid, mark] of queue) {
      if (isPlace(mark)) continue;
      // Marked again since it was taken: that one first.
      if (this.#taken.has(uid)) return undefined;
      queue.delete(uid);
      this.#count(mark, -1, -weightOf(mark));
      this.#taken.set(uid, mark);
      return mark;
    }
    return undefined;
  }

  /** Confirms that the taken keys are published and recorded. */
  confirm(): void {
    this.#taken.clear();
  }

  /** Puts what could not be published back to the front, joined with what was seen meanwhile. */
  putBack(): void {
    const entries = [...this.#taken, ...this.#urgent, ...this.#sweep];
    this.clear();
    for (const [uid, entry] of entries) {
      if (isPlace(entry)) this.hold(uid, entry.before);
      else this.#put(entry);
    }
  }

  clear(): void {
    this.#taken.clear();
    this.#room.add(-this.size, -this.#bytes);
    this.#compared = 0;
    this.#bytes = 0;
    this.#urgent.clear();
    this.#sweep.clear();
  }

  /** All that may be known to others before it stands in the ledger: what is taken out, then the oldest first in each lane. */
  *marks(): Generator<Mark> {
    yield* this.#taken.values();
    for (const entry of this.#urgent.values()) if (!isPlace(entry)) yield entry;
    yield* this.#sweep.values();
  }

  /** Takes one out, as published by somebody else. */
  drop(uid: string): void {
    const mark = this.#marked(uid);
    if (mark === undefined) return;
    this.#urgent.delete(uid);
    this.#sweep.delete(uid);
    this.#count(mark, -1, -weightOf(mark));
  }

  /**
   * Up to where everything is published, given the version that was read last. Undefined while something that a compare
   * found is not, for there is no place in the stream that tells it again.
   */
  publishedUpTo(read: string | undefined): string | undefined {
    if (this.#compared > 0) return undefined;
    for (const mark of this.#urgent.values()) return mark.before;
    return read;
  }

  #put(mark: Mark): void {
    const { uid } = mark.last;
    const entry = this.#urgent.get(uid);
    if (entry !== undefined && isPlace(entry)) {
      // It keeps the place, also in the order of the queue.
      this.#room.add(-1, 0);
      this.#urgent.set(uid, { ...mark, before: entry.before });
      this.#count(mark, 1, weightOf(mark));
      return;
    }
    const known = this.#marked(uid);
    const whole = known === undefined ? mark : join(known, mark);
    // A key that is dirty already needs no room: what its former versions said gives way, and every dependant counts.
    const joined = this.#room.isFull ? withoutHistory(whole) : whole;
    this.#count(
      joined,
      known === undefined ? 1 : 0,
      weightOf(joined) - (known === undefined ? 0 : weightOf(known)),
    );
    if (known?.lane === "sweep" && joined.lane === "urgent") this.#sweep.delete(uid);
    (joined.lane === "urgent" ? this.#urgent : this.#sweep).set(uid, joined);
  }

  #marked(uid: string): Mark | undefined {
    const entry = this.#urgent.get(uid) ?? this.#sweep.get(uid);
    return entry === undefined || isPlace(entry) ? undefined : entry;
  }

  /** A join keeps where the earlier mark came from, so the sort of a mark never changes. */
  #count(mark: Mark, by: 1 | 0 | -1, bytes: number): void {
    if (mark.before === undefined) this.#compared += by;
    this.#bytes += bytes;
    this.#room.add(by, bytes);
  }
}
