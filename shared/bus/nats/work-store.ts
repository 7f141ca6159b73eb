import type { Clock } from "../../clock/clock.ts";
import { BusError } from "../errors.ts";
import type { NewItem, WorkKey } from "../item.ts";
import { waitingOf } from "../waiting.ts";
import type { Foreign } from "./foreign.ts";
import type { Names } from "./names.ts";
import { pause } from "./pause.ts";
import { readable } from "./store.ts";
import { unique } from "./unique.ts";
import { type Stored, Unsure, type Wire } from "./wire.ts";
import { isOfNewer, type Part, textOf, type WorkMessage, workMessageOf } from "./work-message.ts";

/** The number of publishes that are unanswered at once. */
const WINDOW = 512;
/** The time for which it tries to make something durable before it says that it cannot. */
const PATIENCE_MILLISECONDS = 15_000;
const PAUSE_MILLISECONDS = 100;

/** True where it is the fault of one item, in any state of the bus: no other may wait for it. */
export const isOfOne = (thrown: unknown): thrown is BusError =>
  thrown instanceof BusError && (thrown.code === "BUS_TOO_LARGE" || thrown.code === "BUS_NEWER");

interface Addition {
  readonly part: Part;
  readonly messageId: string | undefined;
}
interface Queue extends WorkKey {
  additions: Addition[];
  waiters: { readonly resolve: () => void; readonly reject: (thrown: unknown) => void }[];
}

/**
 * Publishes waiting items: one message for each (F, lane, K). A newer one takes the place of the one that waits and carries
 * what it held, by compare-and-set, so no cause is lost (B2).
 */
export class WorkStore {
  readonly #wire: Wire;
  readonly #names: Names;
  readonly #clock: Clock;
  readonly #foreign: Foreign;
  readonly #queues = new Map<string, Queue>();
  #free = WINDOW;
  #full = false;
  readonly #turns: (() => void)[] = [];

  constructor(wire: Wire, names: Names, clock: Clock, foreign: Foreign) {
    this.#foreign = foreign;
    this.#wire = wire;
    this.#names = names;
    this.#clock = clock;
  }

  /**
   * Resolves when all are durable. One that this bus cannot take whatever its state is said aloud and left out, where `idOf` does not
   * name the sending.
   * @param idOf names the sending, so that its repetition counts once (B9)
   * @throws BusError `BUS_FULL`, `BUS_UNREACHABLE`; with `idOf` also `BUS_TOO_LARGE` and `BUS_NEWER`, which are of one item alone
   */
  async enqueue(items: readonly NewItem[], idOf?: (item: NewItem) => string): Promise<void> {
    const now = this.#clock.now();
    await Promise.all(
      items.map((item) => {
        const part: Part = { id: unique(), waiting: waitingOf(item, now) };
        const added = this.#add(item, { part, messageId: idOf?.(item) });
        if (idOf !== undefined) return added;
        return added.catch((thrown: unknown) => {
          if (!isOfOne(thrown)) throw thrown;
          this.#foreign.refused(item, thrown);
        });
      }),
    );
  }

  /** True where the stream had no room for the last message. */
  get full(): boolean {
    return this.#full;
  }

  /**
   * The waiting item of a key in one lane.
   * @throws Unsure
   */
  async waiting(
    key: WorkKey,
    lane: "urgent" | "sweep",
  ): Promise<{ readonly seq: number; readonly message: WorkMessage } | undefined> {
    const stored = await this.#wire.last(this.#names.work, this.#names.waiting(key, lane));
    const message = stored === undefined ? undefined : this.#read(stored);
    return stored === undefined || message === undefined || isOfNewer(message)
      ? undefined
      : { seq: stored.seq, message };
  }

  /** Reads a message. A foreign one counts as nothing, and is replaced by the next. */
  #read(stored: Stored): WorkMessage | undefined {
    const message = readable(() => workMessageOf(stored.body));
    if (message === undefined) this.#foreign.met(stored.subject);
    return message;
  }

  /** The parts that wait under a subject. @throws BusError `BUS_NEWER` */
  #partsOf(stored: Stored): readonly Part[] {
    const message = this.#read(stored);
    if (message === undefined) return [];
    if (isOfNewer(message))
      throw new BusError(
        "BUS_NEWER",
        `A newer version of Reveille wrote ${stored.subject}: it is left as it is, for a host that knows it. Update this one.`,
      );
    return message.parts;
  }

  #add(item: NewItem, addition: Addition): Promise<void> {
    const subject = this.#names.waiting(item, item.lane);
    const queue = this.#queues.get(subject);
    return new Promise((resolve, reject) => {
      if (queue !== undefined) {
        queue.additions.push(addition);
        queue.waiters.push({ resolve, reject });
        return;
      }
      const { function: name, key } = item;
      const mine: Queue = { function: name, key, additions: [addition], waiters: [{ resolve, reject }] };
      this.#queues.set(subject, mine);
      void this.#drain(subject, mine);
    });
  }

  /** One publishing a subject at a time; what came meanwhile goes together. */
  async #drain(subject: string, queue: Queue): Promise<void> {
    while (queue.additions.length > 0) {
      const { additions, waiters } = queue;
      queue.additions = [];
      queue.waiters = [];
      await this.#turn();
      try {
        await this.#publish(subject, queue, additions);
        this.#full = false;
        for (const { resolve } of waiters) resolve();
      } catch (thrown) {
        if (thrown instanceof BusError && thrown.code === "BUS_FULL") this.#full = true;
        for (const { reject } of waiters) reject(thrown);
      } finally {
        this.#free += 1;
        this.#turns.shift()?.();
      }
    }
    this.#queues.delete(subject);
  }

  async #turn(): Promise<void> {
    while (this.#free <= 0) await new Promise<void>((resolve) => this.#turns.push(resolve));
    this.#free -= 1;
  }

  async #publish(subject: string, key: WorkKey, additions: readonly Addition[]): Promise<void> {
    const until = performance.now() + PATIENCE_MILLISECONDS;
    const added = additions.map(({ part }) => part);
    const [only, ...others] = additions;
    // Of several that go together one may be known to the server already: it would drop them all.
    const messageId = others.length === 0 ? only?.messageId : undefined;
    let expected = 0;
    let older: readonly Part[] = [];
    for (;;) {
      try {
        const text = textOf(key, [...older, ...added], this.#wire.mostBytes / 2);
        const written = await this.#wire.store(subject, text, {
          "Nats-Expected-Last-Subject-Sequence": String(expected),
          ...(messageId !== undefined && { "Nats-Msg-Id": messageId }),
        });
        if (written.state === "stored") return;
        if (written.last === 0) {
          [expected, older] = [0, []];
          continue;
        }
        const found = await this.#wire.last(this.#names.work, subject);
        const parts = found === undefined ? [] : this.#partsOf(found);
        // An answer was lost, and the first try stands.
        if (parts.some(({ id }) => id === added[0]?.id)) return;
        const lags = written.last !== undefined && (found?.seq ?? 0) < written.last && found !== undefined;
        if (!lags) {
          expected = found?.seq ?? 0;
          older = parts.map((part) => ({ ...part, seq: part.seq ?? found?.seq }));
        }
      } catch (thrown) {
        if (!(thrown instanceof Unsure)) throw thrown;
        if (performance.now() > until)
          throw new BusError(
            "BUS_UNREACHABLE",
            `NATS did not confirm ${subject} within ${PATIENCE_MILLISECONDS / 1000} s: look whether its servers run and have a leader.`,
            { cause: thrown },
          );
        await pause(PAUSE_MILLISECONDS);
      }
      if (performance.now() > until)
        throw new BusError(
          "BUS_UNREACHABLE",
          `${subject} is written by others all the time: try again later.`,
        );
    }
  }
}
