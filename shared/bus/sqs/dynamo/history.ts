import type { Clock } from "../../../clock/clock.ts";
import type { History } from "../../contract.ts";
import type { WorkKey } from "../../item.ts";
import type { RecordedEvent, RunRecord } from "../../run-record.ts";
import { subjectsOf } from "../../run-subjects.ts";
import { type Row, short, type Table } from "./table.ts";

const HOUR = 3_600_000;
/** The time for which the last event about an object is known: longer than any run takes. */
const TOLD_MILLISECONDS = HOUR;
/** Positions are microseconds, so that a process has a thousand for each millisecond. */
const MICROSECONDS = 1_000;

const runPlace = (id: string) => ({ pk: `run/${short(id)}`, sk: "-" });
const eventPlace = (id: string) => ({ pk: `event/${short(id)}`, sk: "-" });
const newestPlace = (subject: string) => ({ pk: `event/${short(subject)}`, sk: "newest" });
const keyIndex = ({ function: name, key }: WorkKey): string => `runs-of/${name}/${short(key)}`;
const subjectIndex = (subject: string): string => `subject/${short(subject)}`;
const writeIndex = (uid: string, resourceVersion: string): string =>
  `write/${short(`${uid}/${resourceVersion}`)}`;
const logIndex = (time: number): string => `log/${Math.floor(time / HOUR)}`;
/** A position as text in the order of numbers. */
const positionText = (position: number): string => String(position).padStart(17, "0");

const runOf = ({ fields }: Row): RunRecord => JSON.parse(String(fields.record)) as RunRecord;
const eventOf = ({ fields }: Row): RecordedEvent => JSON.parse(String(fields.record)) as RecordedEvent;

/** The history (B12) in the table: each run once, and under every object, key, write and hour a line that leads to it. */
export class DynamoHistory implements History {
  readonly #table: Table;
  readonly #clock: Clock;
  readonly #keptMilliseconds: number;
  #last = 0;

  constructor(table: Table, clock: Clock, keptMilliseconds: number) {
    this.#table = table;
    this.#clock = clock;
    this.#keptMilliseconds = keptMilliseconds;
  }

  async recordRun(run: RunRecord, at: number, expiresAt: number): Promise<void> {
    this.#last = Math.max(this.#last + 1, at * MICROSECONDS);
    const sk = `${positionText(this.#last)}/${short(run.id)}`;
    const indexes = new Set([
      keyIndex(run),
      logIndex(at),
      ...[...subjectsOf(run)].map(subjectIndex),
      ...run.writes.flatMap(({ sent, uid, resourceVersion }) =>
        sent && uid !== undefined && resourceVersion !== undefined ? writeIndex(uid, resourceVersion) : [],
      ),
    ]);
    const lines = [...indexes].map((pk): Row => ({ pk, sk, expiresAt, fields: { run: run.id } }));
    const record = { record: JSON.stringify(run), position: this.#last };
    await this.#table.write([{ ...runPlace(run.id), expiresAt, fields: record }, ...lines]);
  }

  async recordEvents(events: readonly RecordedEvent[], expiresAt: number): Promise<void> {
    // One write may not hold the same row twice.
    const once = new Map(events.map((event) => [event.id, event]));
    const newest = new Map(
      events.flatMap((event) =>
        event.uid === undefined || event.subject === undefined ? [] : [[event.subject, event]],
      ),
    );
    const at = this.#clock.now();
    await this.#table.write([
      ...[...once.values()].map((event) => ({
        ...eventPlace(event.id),
        expiresAt,
        fields: { record: JSON.stringify(event) },
      })),
      ...[...newest].map(([subject, event]) => ({
        ...newestPlace(subject),
        expiresAt: at + TOLD_MILLISECONDS,
        fields: { record: JSON.stringify(event), at },
      })),
    ]);
  }

  async toldSince(subject: string, since: number): Promise<RecordedEvent | undefined> {
    const row = await this.#table.get(newestPlace(subject));
    return row === undefined || Number(row.fields.at) < since ? undefined : eventOf(row);
  }

  ofSubject(subject: string, limit: number): Promise<readonly RunRecord[]> {
    return this.#newest(subjectIndex(subject), limit);
  }

  ofKey(key: WorkKey, limit: number): Promise<readonly RunRecord[]> {
    return this.#newest(keyIndex(key), limit);
  }

  async ofWrite({ uid, resourceVersion }: Parameters<History["ofWrite"]>[0]): Promise<RunRecord | undefined> {
    return (await this.#newest(writeIndex(uid, resourceVersion), 1))[0];
  }

  async run(id: string): Promise<RunRecord | undefined> {
    const row = await this.#table.get(runPlace(id));
    return row === undefined ? undefined : runOf(row);
  }

  async event(id: string): Promise<RecordedEvent | undefined> {
    const row = await this.#table.get(eventPlace(id));
    return row === undefined ? undefined : eventOf(row);
  }

  async after(
    position: number,
    { function: name, limit }: Parameters<History["after"]>[1],
  ): ReturnType<History["after"]> {
    const now = this.#clock.now();
    const from = Math.max(Math.floor(position / MICROSECONDS), now - this.#keptMilliseconds);
    const found: RunRecord[] = [];
    let reached = position;
    const hours = Math.floor(now / HOUR) - Math.floor(from / HOUR);
    for (let hour = 0; hour <= hours; hour++) {
      const above = `${positionText(position)}/\uffff`;
      for await (const page of pages(this.#table.query(logIndex(from + hour * HOUR), { above }), limit))
        for (const row of await this.#table.getAll(page.map(({ fields }) => runPlace(String(fields.run))))) {
          if (found.length === limit) return { runs: found, position: reached };
          const run = runOf(row);
          reached = Number(row.fields.position);
          if (name === undefined || run.function === name) found.push(run);
        }
    }
    return { runs: found, position: reached };
  }

  async #newest(index: string, limit: number): Promise<readonly RunRecord[]> {
    const lines = await take(this.#table.query(index, { newestFirst: true, page: limit }), limit);
    const rows = await this.#table.getAll(lines.map(({ fields }) => runPlace(String(fields.run))));
    return rows.map(runOf);
  }
}

async function take<T>(all: AsyncGenerator<T>, limit: number): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const each of all) {
    taken.push(each);
    if (taken.length >= limit) break;
  }
  return taken;
}

async function* pages<T>(all: AsyncGenerator<T>, size: number): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const each of all) {
    page.push(each);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
