import { hash } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../../clock/clock.ts";
import type { WaitedObject } from "../../contract.ts";
import { BusError } from "../../errors.ts";
import { isFollowed } from "../../followed.ts";
import type { WorkKey } from "../../item.ts";
import { objectName } from "../../key-name.ts";
import type { RecordedEvent, RunRecord } from "../../run-record.ts";
import type { KeyRecord, StateStore } from "../store.ts";
import { DynamoHistory } from "./history.ts";
import { type Place, type Row, short, Table } from "./table.ts";

const DAY = 24 * 3_600_000;
/**
 * The time for which it is noted that a key waits. Far longer than its record, which decides: notes are not written anew with it.
 */
const NOTED_MILLISECONDS = 730 * DAY;
const keyPlace = ({ function: name, key }: WorkKey): Place => ({ pk: `key/${name}`, sk: short(key) });

const waitPlace = (object: WaitedObject, { function: name, key }: WorkKey): Place => ({
  pk: waitIndex(object),
  sk: hash("sha256", JSON.stringify([name, key]), "hex"),
});
const waitIndex = ({ cluster, group, kind, namespace = "", name }: WaitedObject): string =>
  `wait/${short(`${cluster}/${group}/${kind}/${namespace}/${name}`)}`;

/** The notes of objects that no watch list covers, under one key: all others stand apart, so that it is read quickly. */
const FOLLOWED = "followed";
const followedPlace = (object: WaitedObject, key: WorkKey): Place => ({
  pk: FOLLOWED,
  sk: short(JSON.stringify([objectName(object), key.function, key.key])),
});

/** The format of the records; one that a newer version wrote is left alone. */
const FORMAT = 1;

function recordOf({ fields: { record, format = FORMAT } }: Row): KeyRecord {
  if (Number(format) > FORMAT)
    throw new BusError("BUS_NEWER", "A newer version of Reveille wrote to this table: update this one.");
  return JSON.parse(String(record)) as KeyRecord;
}
const workKeyOf = ({ fields }: Row): WorkKey => ({
  function: String(fields.function),
  key: String(fields.key),
});

/** The state that a queue cannot remember, in one DynamoDB table with the keys `pk` and `sk` and time to live on `expires`. */
export class DynamoStateStore implements StateStore {
  readonly history: DynamoHistory;
  readonly #table: Table;
  readonly #clock: Clock;

  constructor(options: {
    readonly client: DynamoDBClient;
    /** The name or ARN of the table. */
    readonly table: string;
    readonly clock: Clock;
    readonly historyDays: number;
  }) {
    this.#clock = options.clock;
    this.#table = new Table(options.client, options.table, options.clock);
    this.history = new DynamoHistory(this.#table, options.clock, options.historyDays * DAY);
  }

  async load(key: WorkKey): ReturnType<StateStore["load"]> {
    const row = await this.#table.get(keyPlace(key));
    return row === undefined ? undefined : { record: recordOf(row), version: Number(row.fields.version) };
  }

  async save(
    key: WorkKey,
    record: KeyRecord | undefined,
    version: number,
    expiresAt?: number,
  ): Promise<boolean> {
    if (record === undefined) return version === 0 || this.#table.remove(keyPlace(key), version);
    const now = this.#clock.now();
    return this.#table.put(
      {
        ...keyPlace(key),
        expiresAt: expiresAt ?? now + NOTED_MILLISECONDS,
        fields: {
          function: key.function,
          key: key.key,
          record: JSON.stringify(record),
          format: FORMAT,
          // Never one that a record had before this one was removed and made anew.
          version: version === 0 ? now : version + 1,
        },
      },
      version,
    );
  }

  async keysOf(name: string): ReturnType<StateStore["keysOf"]> {
    const rows = await this.#table.all(`key/${name}`);
    return rows.map((row) => ({ ...workKeyOf(row), record: recordOf(row) }));
  }

  async addWaits(key: WorkKey, objects: readonly WaitedObject[]): Promise<void> {
    const expiresAt = this.#clock.now() + NOTED_MILLISECONDS;
    const fields = { function: key.function, key: key.key };
    await this.#table.write([
      ...objects.map((object) => ({ ...waitPlace(object, key), expiresAt, fields })),
      ...objects.filter(isFollowed).map((object) => ({
        ...followedPlace(object, key),
        expiresAt,
        fields: { ...fields, object: JSON.stringify(object) },
      })),
    ]);
  }

  async removeWaits(key: WorkKey, objects: readonly WaitedObject[]): Promise<void> {
    await this.#table.write(
      [],
      objects.flatMap((object) => [
        waitPlace(object, key),
        ...(isFollowed(object) ? [followedPlace(object, key)] : []),
      ]),
    );
  }

  async followed(): ReturnType<StateStore["followed"]> {
    const rows = await this.#table.all(FOLLOWED);
    return rows.map((row) => ({
      key: workKeyOf(row),
      object: JSON.parse(String(row.fields.object)) as WaitedObject,
    }));
  }

  async waitingFor(object: WaitedObject): Promise<readonly WorkKey[]> {
    const rows = await this.#table.all(waitIndex(object));
    return rows.map(workKeyOf);
  }

  recordRun(run: RunRecord, at: number, expiresAt: number): Promise<void> {
    return this.history.recordRun(run, at, expiresAt);
  }

  recordEvents(events: readonly RecordedEvent[], expiresAt: number): Promise<void> {
    return this.history.recordEvents(events, expiresAt);
  }

  toldSince(subject: string, since: number): Promise<RecordedEvent | undefined> {
    return this.history.toldSince(subject, since);
  }
}
