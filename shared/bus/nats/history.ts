import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Echo, History } from "../contract.ts";
import type { WorkKey } from "../item.ts";
import type { RecordedEvent, RunRecord } from "../run-record.ts";
import type { Names } from "./names.ts";
import { pause } from "./pause.ts";
import { readable } from "./store.ts";
import { VERSION } from "./version.ts";
import { type Stored, Unsure, type Wire } from "./wire.ts";

/** Room for what one message holds, in characters; servers take 1 MiB. */
const BATCH_CHARACTERS = 256 * 1024;
const TRIES = 5;
const PAUSE_MILLISECONDS = 200;
/** Positions are a message's sequence and a place in it. */
const PLACES = 10_000;

interface Queue {
  texts: string[];
  /** Called with the number of the message that a text stands in; undefined where it could not be written. */
  waiters: ((seq: number | undefined) => void)[];
}

/** The note under the version that a run wrote: which run, and in which message its record lies. */
interface WriteNote {
  readonly version: number;
  readonly run: string;
  readonly seq: number;
}

/** Writes the history: what comes while a message is under way goes together in the next. */
export class HistoryWriter {
  readonly #wire: Pick<Wire, "store">;
  readonly #names: Names;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #queues = new Map<string, Queue>();

  constructor(wire: Pick<Wire, "store">, names: Names, clock: Clock, log: Log) {
    this.#wire = wire;
    this.#names = names;
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves when it is durable, or when it could not be: a history that is full or away stops no run. */
  async run(run: RunRecord): Promise<void> {
    const seq = await this.#add(this.#names.runsOf(run.function), JSON.stringify(run));
    if (seq === undefined) return;
    const note: WriteNote = { version: VERSION, run: run.id, seq };
    const text = JSON.stringify(note);
    await Promise.all(
      run.writes.map(async ({ sent, uid, resourceVersion }) => {
        if (sent && uid !== undefined && resourceVersion !== undefined)
          await this.#store(this.#names.write(uid, resourceVersion), text);
      }),
    );
  }

  async events(events: readonly RecordedEvent[]): Promise<void> {
    await Promise.all(events.map((event) => this.#add(this.#names.events, JSON.stringify(event))));
  }

  #add(subject: string, text: string): Promise<number | undefined> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(subject);
      if (queue !== undefined) {
        queue.texts.push(text);
        queue.waiters.push(resolve);
        return;
      }
      const mine: Queue = { texts: [text], waiters: [resolve] };
      this.#queues.set(subject, mine);
      // What is added in the same breath goes together.
      queueMicrotask(() => void this.#drain(subject, mine));
    });
  }

  async #drain(subject: string, queue: Queue): Promise<void> {
    while (queue.texts.length > 0) {
      let characters = 0;
      const taken = queue.texts.findIndex((text) => {
        characters += text.length;
        return characters > BATCH_CHARACTERS;
      });
      // One that is too long for itself goes alone.
      const count = taken === -1 ? queue.texts.length : Math.max(1, taken);
      const texts = queue.texts.splice(0, count);
      const waiters = queue.waiters.splice(0, count);
      const seq = await this.#store(subject, `{"at":${this.#clock.now()},"records":[${texts.join(",")}]}`);
      for (const resolve of waiters) resolve(seq);
    }
    this.#queues.delete(subject);
  }

  /** The sequence of the message; undefined where it could not be written. */
  async #store(subject: string, text: string): Promise<number | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        const written = await this.#wire.store(subject, text, {});
        return written.state === "stored" ? written.seq : undefined;
      } catch (thrown) {
        if (attempt < TRIES && thrown instanceof Unsure) {
          await pause(PAUSE_MILLISECONDS);
          continue;
        }
        this.#log.warn({ error: messageOf(thrown), subject }, "the history could not be written");
        return undefined;
      }
    }
  }
}

interface Kept<T> {
  readonly position: number;
  readonly at: number;
  readonly record: T;
}

/** Reads the history: it is looked through here, so only who asks pays for it. */
export class HistoryReader implements History {
  readonly #wire: Wire;
  readonly #names: Names;
  readonly #clock: Clock;
  readonly #bounds: { readonly maximumRuns: number; readonly maximumAgeMilliseconds: number };
  #runs: Kept<RunRecord>[] = [];
  #events: Kept<RecordedEvent>[] = [];
  #seen = 0;
  #reading: Promise<void> | undefined;

  constructor(
    wire: Wire,
    names: Names,
    clock: Clock,
    bounds: { readonly maximumRuns: number; readonly maximumAgeMilliseconds: number },
  ) {
    this.#wire = wire;
    this.#names = names;
    this.#clock = clock;
    this.#bounds = bounds;
  }

  async ofSubject(subject: string, limit: number): Promise<readonly RunRecord[]> {
    await this.#catchUp();
    return this.#newest(
      (run) =>
        run.causes.some((cause) => cause.subject === subject) ||
        run.reads.some((read) => read.subject === subject) ||
        run.writes.some((write) => write.subject === subject),
      limit,
    );
  }

  async ofKey({ function: name, key }: WorkKey, limit: number): Promise<readonly RunRecord[]> {
    await this.#catchUp();
    return this.#newest((run) => run.function === name && run.key === key, limit);
  }

  async ofWrite({ uid, resourceVersion }: Echo): Promise<RunRecord | undefined> {
    const stored = await this.#wire.last(this.#names.history, this.#names.write(uid, resourceVersion));
    const note = stored === undefined ? undefined : readable(() => noteOf(stored));
    if (note === undefined || "id" in note) return note;
    const runs = `${this.#names.prefix}.h.*`;
    for await (const found of this.#wire.list(this.#names.history, runs, { from: note.seq, pageSize: 1 }))
      return found.seq === note.seq
        ? recordsIn<RunRecord>(found).find(({ id }) => id === note.run)
        : undefined;
    return undefined;
  }

  async run(id: string): Promise<RunRecord | undefined> {
    await this.#catchUp();
    return this.#runs.findLast(({ record }) => record.id === id)?.record;
  }

  async event(id: string): Promise<RecordedEvent | undefined> {
    await this.#catchUp();
    return this.#events.findLast(({ record }) => record.id === id)?.record;
  }

  async after(
    position: number,
    { function: name, limit }: { readonly function?: string | undefined; readonly limit: number },
  ): Promise<{ readonly runs: readonly RunRecord[]; readonly position: number }> {
    await this.#catchUp();
    const found = this.#runs
      .filter((kept) => kept.position > position && (name === undefined || kept.record.function === name))
      .slice(0, limit);
    return { runs: found.map(({ record }) => record), position: found.at(-1)?.position ?? position };
  }

  #newest(matches: (run: RunRecord) => boolean, limit: number): readonly RunRecord[] {
    const found: RunRecord[] = [];
    for (let at = this.#runs.length - 1; at >= 0 && found.length < limit; at--) {
      const kept = this.#runs[at];
      if (kept !== undefined && matches(kept.record)) found.push(kept.record);
    }
    return found;
  }

  #catchUp(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { history, events, prefix } = this.#names;
    // In one pass: of two, the second may be further than the first, and what came in between would be passed over.
    for await (const stored of this.#wire.list(history, `${prefix}.>`, { from: this.#seen + 1 })) {
      this.#seen = stored.seq;
      if (stored.subject === events) keep(this.#events, stored);
      else keep(this.#runs, stored);
    }
    const { maximumRuns, maximumAgeMilliseconds } = this.#bounds;
    const oldest = this.#clock.now() - maximumAgeMilliseconds;
    this.#runs = this.#runs.slice(-maximumRuns).filter(({ at }) => at >= oldest);
    this.#events = this.#events.slice(-maximumRuns * 4).filter(({ at }) => at >= oldest);
  }
}

interface HistoryMessage<T> {
  readonly at: number;
  readonly records: readonly T[];
}

/** The content of a message; undefined for a foreign one. */
function messageIn<T>({ body }: Pick<Stored, "body">): HistoryMessage<T> {
  const message = readable(() => JSON.parse(new TextDecoder().decode(body)) as HistoryMessage<T> | null);
  const isOurs =
    typeof message?.at === "number" &&
    Array.isArray(message.records) &&
    message.records.every((record) => typeof record === "object" && record !== null);
  return isOurs ? message : { at: 0, records: [] };
}

const recordsIn = <T>(stored: Stored): readonly T[] => messageIn<T>(stored).records;

/** Versions before kept the whole record there. Throws a TypeError for a foreign message. */
function noteOf({ body, subject }: Stored): WriteNote | RunRecord {
  const note = JSON.parse(new TextDecoder().decode(body)) as WriteNote | RunRecord | null;
  if (note === null || typeof note !== "object" || !("id" in note || typeof note.seq === "number"))
    throw new TypeError(`${subject} names no run`);
  return note;
}

function keep<T>(kept: Kept<T>[], stored: Stored): void {
  const { at, records } = messageIn<T>(stored);
  for (const [place, record] of records.entries())
    kept.push({ position: stored.seq * PLACES + place, at, record });
}
