import type { History, WaitedObject } from "../../shared/bus/contract.ts";
import { isFollowed } from "../../shared/bus/followed.ts";
import type { WorkKey } from "../../shared/bus/item.ts";
import { keyName, objectName } from "../../shared/bus/key-name.ts";
import type { RecordedEvent, RunRecord } from "../../shared/bus/run-record.ts";
import { subjectsOf } from "../../shared/bus/run-subjects.ts";
import type { KeyRecord, StateStore } from "../../shared/bus/sqs/store.ts";
import type { Clock } from "../../shared/clock/clock.ts";

interface Kept<T> {
  readonly value: T;
  readonly expiresAt: number;
}
interface KeptKey extends Kept<string> {
  readonly key: WorkKey;
  readonly version: number;
}
interface KeptRun extends Kept<RunRecord> {
  readonly position: number;
}

/** The state that a queue cannot remember, in memory. Forgotten with the process. */
export class MemoryStateStore implements StateStore {
  readonly #clock: Clock;
  readonly #maximumRuns: number;
  readonly #keys = new Map<string, KeptKey>();
  readonly #waits = new Map<string, Map<string, WorkKey>>();
  readonly #followed = new Map<string, { readonly key: WorkKey; readonly object: WaitedObject }>();
  readonly #events = new Map<string, Kept<RecordedEvent>>();
  readonly #told = new Map<string, { readonly event: RecordedEvent; readonly at: number }>();
  #runs: KeptRun[] = [];
  #position = 0;
  #version = 0;

  constructor(clock: Clock, options: { readonly maximumRuns?: number } = {}) {
    this.#clock = clock;
    this.#maximumRuns = options.maximumRuns ?? 10_000;
  }

  async load(key: WorkKey): ReturnType<StateStore["load"]> {
    const kept = this.#alive(this.#keys.get(keyName(key)));
    // Written out and read again, as by any store that is not in this process.
    return kept === undefined
      ? undefined
      : { record: JSON.parse(kept.value) as KeyRecord, version: kept.version };
  }

  async save(
    key: WorkKey,
    record: KeyRecord | undefined,
    version: number,
    expiresAt?: number,
  ): Promise<boolean> {
    const name = keyName(key);
    if ((this.#alive(this.#keys.get(name))?.version ?? 0) !== version) return false;
    if (record === undefined) this.#keys.delete(name);
    else
      this.#keys.set(name, {
        key: { function: key.function, key: key.key },
        value: JSON.stringify(record),
        version: this.#nextVersion(),
        expiresAt: expiresAt ?? Number.POSITIVE_INFINITY,
      });
    return true;
  }

  async keysOf(name: string): ReturnType<StateStore["keysOf"]> {
    return [...this.#keys.values()].flatMap((kept) =>
      kept.key.function === name && this.#alive(kept) !== undefined
        ? { ...kept.key, record: JSON.parse(kept.value) as KeyRecord }
        : [],
    );
  }

  async addWaits(key: WorkKey, objects: readonly WaitedObject[]): Promise<void> {
    for (const object of objects) {
      const keys = this.#waits.get(objectName(object)) ?? new Map<string, WorkKey>();
      this.#waits.set(objectName(object), keys.set(keyName(key), { function: key.function, key: key.key }));
      if (isFollowed(object)) this.#followed.set(`${objectName(object)} ${keyName(key)}`, { key, object });
    }
  }

  async removeWaits(key: WorkKey, objects: readonly WaitedObject[]): Promise<void> {
    for (const object of objects) {
      const keys = this.#waits.get(objectName(object));
      keys?.delete(keyName(key));
      this.#followed.delete(`${objectName(object)} ${keyName(key)}`);
      if (keys?.size === 0) this.#waits.delete(objectName(object));
    }
  }

  async followed(): ReturnType<StateStore["followed"]> {
    return [...this.#followed.values()];
  }

  async waitingFor(object: WaitedObject): Promise<readonly WorkKey[]> {
    return [...(this.#waits.get(objectName(object))?.values() ?? [])];
  }

  async recordRun(run: RunRecord, _at: number, expiresAt: number): Promise<void> {
    if (this.#runs.some(({ value }) => value.id === run.id)) return;
    this.#position += 1;
    this.#runs.push({ value: run, expiresAt, position: this.#position });
    this.#runs = this.#runs.filter((kept) => this.#alive(kept) !== undefined).slice(-this.#maximumRuns);
  }

  async recordEvents(events: readonly RecordedEvent[], expiresAt: number): Promise<void> {
    const at = this.#clock.now();
    for (const event of events) {
      this.#events.set(event.id, { value: event, expiresAt });
      if (event.uid !== undefined && event.subject !== undefined)
        this.#told.set(event.subject, { event, at });
    }
  }

  async toldSince(subject: string, since: number): Promise<RecordedEvent | undefined> {
    const told = this.#told.get(subject);
    return told !== undefined && told.at >= since ? told.event : undefined;
  }

  readonly history: History = {
    ofSubject: async (subject, limit) => this.#newest(limit, (run) => subjectsOf(run).has(subject)),
    ofKey: async (key, limit) => this.#newest(limit, (run) => keyName(run) === keyName(key)),
    ofWrite: async ({ uid, resourceVersion }) =>
      this.#newest(1, ({ writes }) =>
        writes.some((write) => write.sent && write.uid === uid && write.resourceVersion === resourceVersion),
      )[0],
    run: async (id) => this.#newest(1, (run) => run.id === id)[0],
    event: async (id) => this.#alive(this.#events.get(id))?.value,
    after: async (position, { function: name, limit }) => {
      const found = this.#runs
        .filter((kept) => kept.position > position && this.#alive(kept) !== undefined)
        .filter(({ value }) => name === undefined || value.function === name)
        .slice(0, limit);
      return { runs: found.map(({ value }) => value), position: found.at(-1)?.position ?? position };
    },
  };

  /** Never one that a record had before it was removed and made anew. */
  #nextVersion(): number {
    this.#version += 1;
    return this.#version;
  }

  #newest(limit: number, wanted: (run: RunRecord) => boolean): readonly RunRecord[] {
    return this.#runs
      .filter((kept) => this.#alive(kept) !== undefined && wanted(kept.value))
      .map(({ value }) => value)
      .reverse()
      .slice(0, limit);
  }

  #alive<T extends { readonly expiresAt: number }>(kept: T | undefined): T | undefined {
    return kept !== undefined && kept.expiresAt > this.#clock.now() ? kept : undefined;
  }
}
