import type { Clock } from "../../clock/clock.ts";
import { BusError } from "../errors.ts";
import type { NewItem, WorkKey } from "../item.ts";
import { mergeWaiting, type Waiting, waitingOf } from "../waiting.ts";
import type { Names } from "./names.ts";
import { pause } from "./pause.ts";
import { unique } from "./unique.ts";
import { VERSION } from "./version.ts";
import { Unsure, type Wire } from "./wire.ts";

/** What one publishing added to a waiting item. */
interface Part {
  readonly id: string;
  /** Which message brought it; absent for the one that it stands in. */
  readonly seq?: number | undefined;
  readonly waiting: Waiting;
  /** See `NewItem.object`. Only the newest part that is about the object itself has one. */
  readonly object?: unknown;
}

/** A waiting item of one lane: all that came since its key was last taken, newest part last. */
export interface WorkMessage extends WorkKey {
  readonly version: number;
  readonly parts: readonly Part[];
}

/** More parts than this are made one: they keep their causes, up to the bound of those. */
const MAXIMUM_PARTS = 16;
/** How many publishes are unanswered at once. */
const WINDOW = 512;
/** How long it tries to make something durable before it says that it cannot. */
const PATIENCE_MILLISECONDS = 15_000;
const PAUSE_MILLISECONDS = 100;

export const workMessageOf = (body: Uint8Array): WorkMessage =>
  JSON.parse(new TextDecoder().decode(body)) as WorkMessage;

/** What of a message is new to whoever has already accounted for all up to `covered`; undefined where nothing is. */
export function newsOf({ parts }: WorkMessage, seq: number, covered: number): Waiting | undefined {
  return parts
    .filter((part) => (part.seq ?? seq) > covered)
    .reduce<Waiting | undefined>((older, { waiting }) => mergeWaiting(older, waiting), undefined);
}

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
  readonly #queues = new Map<string, Queue>();
  #free = WINDOW;
  readonly #turns: (() => void)[] = [];

  constructor(wire: Wire, names: Names, clock: Clock) {
    this.#wire = wire;
    this.#names = names;
    this.#clock = clock;
  }

  /**
   * Resolves when all are durable.
   * @param idOf names the sending, so that its repetition counts once (B9)
   * @throws BusError `BUS_FULL`, `BUS_UNREACHABLE`
   */
  async enqueue(items: readonly NewItem[], idOf?: (item: NewItem) => string): Promise<void> {
    const now = this.#clock.now();
    await Promise.all(
      items.map((item) => {
        const { object } = item;
        const part: Part = {
          id: unique(),
          waiting: waitingOf(item, now),
          ...(object !== undefined && { object }),
        };
        return this.#add(item, { part, messageId: idOf?.(item) });
      }),
    );
  }

  /** What waits for a key in one lane. @throws Unsure */
  async waiting(
    key: WorkKey,
    lane: "urgent" | "sweep",
  ): Promise<{ readonly seq: number; readonly message: WorkMessage } | undefined> {
    const stored = await this.#wire.last(this.#names.work, this.#names.waiting(key, lane));
    return stored === undefined ? undefined : { seq: stored.seq, message: workMessageOf(stored.body) };
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
        for (const { resolve } of waiters) resolve();
      } catch (thrown) {
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
        const message: WorkMessage = {
          version: VERSION,
          function: key.function,
          key: key.key,
          parts: bounded(withNewestObject([...older, ...added])),
        };
        const written = await this.#wire.store(subject, JSON.stringify(message), {
          "Nats-Expected-Last-Subject-Sequence": String(expected),
          ...(messageId !== undefined && { "Nats-Msg-Id": messageId }),
        });
        if (written.state === "stored") return;
        if (written.last === 0) {
          [expected, older] = [0, []];
          continue;
        }
        const found = await this.#wire.last(this.#names.work, subject);
        const parts = found === undefined ? [] : workMessageOf(found.body).parts;
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

const isOwn = ({ waiting }: Part): boolean => waiting.causes.some(({ sort }) => sort === "own");

/** What an older part tells of the object is no longer so. */
function withNewestObject(parts: readonly Part[]): readonly Part[] {
  const newest = parts.findLast(isOwn);
  return parts.map(({ object, ...part }) =>
    part.id === newest?.id && object !== undefined ? { ...part, object } : part,
  );
}

/** What a message tells of its key's object; undefined where it does not. */
export const objectIn = ({ parts }: WorkMessage): unknown =>
  parts.find(({ object }) => object !== undefined)?.object;

/** The oldest parts become one when there are many. */
function bounded(parts: readonly Part[]): readonly Part[] {
  if (parts.length <= MAXIMUM_PARTS) return parts;
  const old = parts.slice(0, parts.length - MAXIMUM_PARTS + 1);
  const last = old.at(-1);
  const waiting = old.reduce<Waiting | undefined>(
    (merged, part) => mergeWaiting(merged, part.waiting),
    undefined,
  );
  if (last === undefined || waiting === undefined) return parts;
  return [{ id: last.id, seq: last.seq, waiting }, ...parts.slice(old.length)];
}
