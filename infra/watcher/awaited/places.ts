import type { Clock } from "../../../shared/clock/clock.ts";

/** The most streams of all clusters that go on though nobody waits in them: the next wait may be near. */
const MOST_LINGERING = 64;
/** A stream keeps its place for so long while others queue for one. */
const TURN_MILLISECONDS = 30_000;

/** A stream that is open only while it has a place. */
export interface PlacedStream {
  /** It has a place now. */
  begin(): void;
  /** Its place is another's now; it queues again. */
  pause(): void;
}

export interface StreamPlacesParts {
  readonly clock: Clock;
  /** The most streams that are open at once. */
  readonly most: number;
  /** The most of them in which nobody waits. Default 64. */
  readonly lingering?: number | undefined;
}

/**
 * The places of the streams into all clusters of one process. A stream takes some 130 KB here, a connection, and as much at the other
 * end, and thousands of clusters may be waited for at once. Where more streams are wanted than there are places they take turns: first
 * those end in which nobody waits, then those give way that told a change, since who waits there looks anyway, then the oldest. What
 * changed while a stream had no place is told from its next list, so that a change is heard of later, and never missed.
 */
export class StreamPlaces {
  readonly #parts: StreamPlacesParts;
  /** The streams with a place, and since when; the oldest first. */
  readonly #held = new Map<PlacedStream, number>();
  /** Those of them that told a change since somebody began to wait in them. */
  readonly #told = new Set<PlacedStream>();
  /** The streams that never had a place, and since when they want one. */
  readonly #fresh = new Map<PlacedStream, number>();
  /** Those that gave theirs up, and from when on another gives its place up for them. */
  readonly #paused = new Map<PlacedStream, number>();
  /** Ends a stream in which nobody waits; the oldest first. */
  readonly #lingering = new Set<() => void>();
  #cancelTurn: (() => void) | undefined;
  #isServing = false;
  #isClosed = false;

  constructor(parts: StreamPlacesParts) {
    this.#parts = parts;
  }

  /** The streams that have a place, and those that queue for one. */
  get count(): { readonly open: number; readonly queued: number } {
    return { open: this.#held.size, queued: this.#fresh.size + this.#paused.size };
  }

  /** Begins the stream: at once, or as soon as there is a place. */
  join(stream: PlacedStream): void {
    this.#fresh.set(stream, this.#parts.clock.now());
    this.#serve();
  }

  /** The stream has ended. */
  leave(stream: PlacedStream): void {
    this.#held.delete(stream);
    this.#told.delete(stream);
    this.#fresh.delete(stream);
    this.#paused.delete(stream);
    this.#serve();
  }

  /** The stream told a change: whoever waits in it is woken, and says what it waits for then. */
  told(stream: PlacedStream): void {
    if (!this.#held.has(stream)) return;
    this.#told.add(stream);
    this.#serve();
  }

  /** Somebody begins to wait in the stream, who is to hear what is so: one that gave its place up need not wait for its next turn. */
  awaited(stream: PlacedStream): void {
    this.#told.delete(stream);
    const due = this.#paused.get(stream);
    if (due === undefined || due <= this.#parts.clock.now()) return;
    this.#paused.delete(stream);
    this.join(stream);
  }

  /** Gives no place any more. */
  close(): void {
    this.#isClosed = true;
    this.#serve();
  }

  /**
   * Nobody waits in a stream any more. It goes on until too many do, or somebody else needs its place.
   * @param end ends the stream
   * @returns takes it out again: somebody waits in it, or it has ended
   */
  linger(end: () => void): () => void {
    const { lingering = MOST_LINGERING } = this.#parts;
    this.#lingering.add(end);
    if (this.#lingering.size > lingering) this.#endOldest();
    this.#serve();
    return () => this.#lingering.delete(end);
  }

  #serve(): void {
    // Whoever ends meanwhile leaves a place that this call gives on.
    if (this.#isServing) return;
    this.#cancelTurn?.();
    this.#cancelTurn = undefined;
    if (this.#isClosed) return;
    this.#isServing = true;
    try {
      for (let next = this.#next(); next !== undefined && this.#serves(...next); ) next = this.#next();
    } finally {
      this.#isServing = false;
    }
  }

  /** Gives the stream a place. False where there is none: it is tried again when the next turn ends. */
  #serves(stream: PlacedStream, due: number): boolean {
    const { clock } = this.#parts;
    const now = clock.now();
    if (!this.#hasRoom() && (due > now || !this.#makeRoom(now))) {
      const [oldest = now] = this.#held.values();
      const again = this.#told.size > 0 ? due : Math.max(due, oldest + TURN_MILLISECONDS);
      this.#cancelTurn = clock.after(again - now, () => this.#serve());
      return false;
    }
    const isQueued = this.#fresh.delete(stream) || this.#paused.delete(stream);
    // The one that ended to make room may be this one: nobody waited in it while it queued.
    if (!isQueued) return true;
    this.#held.set(stream, now);
    stream.begin();
    return true;
  }

  /** The stream that is to have the next place, and from when on another gives its place up for it. */
  #next(): readonly [PlacedStream, number] | undefined {
    const [fresh] = this.#fresh;
    const [paused] = this.#paused;
    if (fresh === undefined || paused === undefined) return fresh ?? paused;
    return fresh[1] <= paused[1] ? fresh : paused;
  }

  /** True where there is a place, which a stream in which nobody waits may have given up. */
  #hasRoom(): boolean {
    while (this.#held.size >= this.#parts.most && this.#lingering.size > 0) this.#endOldest();
    return this.#held.size < this.#parts.most;
  }

  /** Has a stream give its place up; false where none is to yet. */
  #makeRoom(now: number): boolean {
    const [told] = this.#told;
    const [[oldest, since] = []] = this.#held;
    const isOver = since !== undefined && since + TURN_MILLISECONDS <= now;
    const stream = told ?? (isOver ? oldest : undefined);
    if (stream === undefined) return false;
    this.#held.delete(stream);
    this.#told.delete(stream);
    this.#paused.set(stream, now + TURN_MILLISECONDS);
    stream.pause();
    return true;
  }

  #endOldest(): void {
    const [oldest] = this.#lingering;
    if (oldest === undefined) return;
    this.#lingering.delete(oldest);
    oldest();
  }
}
