import { hash } from "node:crypto";
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../../clock/clock.ts";
import { BusError } from "../../errors.ts";

/** One entry: found under `pk`, in the order of `sk`. Text and numbers only. */
export interface Row {
  readonly pk: string;
  readonly sk: string;
  /** Milliseconds since the epoch. DynamoDB's own expiry goes by the attribute `expires`, in seconds. */
  readonly expiresAt: number;
  readonly fields: Readonly<Record<string, string | number>>;
}
export type Place = Pick<Row, "pk" | "sk">;

/** The keys of the table, as CreateTable and CloudFormation want them. `expires` is its time-to-live attribute. */
export const TABLE_KEYS = {
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
} as const;

/** A sort key holds 1024 bytes, a partition key 2048; what is longer stands under its hash. */
const LONGEST_BYTES = 900;
export const short = (text: string): string =>
  Buffer.byteLength(text) <= LONGEST_BYTES ? text : `#${hash("sha256", text, "hex")}`;

const WRITE_AT_ONCE = 25;
const READ_AT_ONCE = 100;
/** The number of times that rows which DynamoDB left over are sent again, with a growing pause. */
const TRIES = 6;

type Item = Record<string, AttributeValue>;

const itemOf = ({ pk, sk, expiresAt, fields }: Row): Item => ({
  pk: { S: pk },
  sk: { S: sk },
  expires: { N: String(Math.ceil(expiresAt / 1000)) },
  ...Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, AttributeValue] => [
      name,
      typeof value === "number" ? { N: String(value) } : { S: value },
    ]),
  ),
});

function rowOf(item: Item): Row {
  const fields = Object.entries(item).flatMap(([name, value]): [string, string | number][] => {
    if (name === "pk" || name === "sk" || name === "expires") return [];
    if (value.N !== undefined) return [[name, Number(value.N)]];
    return value.S === undefined ? [] : [[name, value.S]];
  });
  return {
    pk: item.pk?.S ?? "",
    sk: item.sk?.S ?? "",
    expiresAt: Number(item.expires?.N ?? 0) * 1000,
    fields: Object.fromEntries(fields),
  };
}

const placeOf = ({ pk, sk }: Place): Item => ({ pk: { S: pk }, sk: { S: sk } });

function* partsOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** Rows in one DynamoDB table. What has expired is not found, also where DynamoDB has not removed it yet. */
export class Table {
  readonly #client: DynamoDBClient;
  readonly #name: string;
  readonly #clock: Clock;

  constructor(client: DynamoDBClient, name: string, clock: Clock) {
    this.#client = client;
    this.#name = name;
    this.#clock = clock;
  }

  async get(place: Place): Promise<Row | undefined> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#name, Key: placeOf(place), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : this.#alive(rowOf(Item));
  }

  /** The rows at these places, in their order. */
  async getAll(places: readonly Place[]): Promise<readonly Row[]> {
    const found = new Map<string, Row>();
    for (const part of partsOf(places, READ_AT_ONCE)) {
      let Keys: Item[] = part.map(placeOf);
      await this.#again(async () => {
        const { Responses, UnprocessedKeys } = await this.#client.send(
          new BatchGetItemCommand({ RequestItems: { [this.#name]: { Keys, ConsistentRead: true } } }),
        );
        for (const item of Responses?.[this.#name] ?? []) {
          const row = rowOf(item);
          found.set(JSON.stringify([row.pk, row.sk]), row);
        }
        Keys = UnprocessedKeys?.[this.#name]?.Keys ?? [];
        return Keys.length === 0;
      });
    }
    return places.flatMap(({ pk, sk }) => this.#alive(found.get(JSON.stringify([pk, sk]))) ?? []);
  }

  /**
   * Writes a row if the one that is there has this version; 0: if none is there.
   * @returns false where it has another
   */
  async put(row: Row, version: number): Promise<boolean> {
    const ExpressionAttributeValues: Item =
      version === 0
        ? { ":now": { N: String(Math.floor(this.#clock.now() / 1000)) } }
        : { ":version": { N: String(version) } };
    return this.#unlessChanged(
      new PutItemCommand({
        TableName: this.#name,
        Item: itemOf(row),
        ConditionExpression:
          version === 0 ? "attribute_not_exists(pk) OR expires <= :now" : "version = :version",
        ExpressionAttributeValues,
      }),
    );
  }

  async remove(place: Place, version: number): Promise<boolean> {
    return this.#unlessChanged(
      new DeleteItemCommand({
        TableName: this.#name,
        Key: placeOf(place),
        ConditionExpression: "version = :version",
        ExpressionAttributeValues: { ":version": { N: String(version) } },
      }),
    );
  }

  /** Writes and removes without conditions. */
  async write(puts: readonly Row[], removals: readonly Place[] = []): Promise<void> {
    const all: WriteRequest[] = [
      ...puts.map((row) => ({ PutRequest: { Item: itemOf(row) } })),
      ...removals.map((place) => ({ DeleteRequest: { Key: placeOf(place) } })),
    ];
    for (const part of partsOf(all, WRITE_AT_ONCE)) {
      let left = part;
      await this.#again(async () => {
        const { UnprocessedItems } = await this.#client.send(
          new BatchWriteItemCommand({ RequestItems: { [this.#name]: left } }),
        );
        left = UnprocessedItems?.[this.#name] ?? [];
        return left.length === 0;
      });
    }
  }

  /** Rows under one `pk`, in the order of `sk` or against it; those after `above` alone. */
  async *query(
    pk: string,
    options: { readonly above?: string; readonly newestFirst?: boolean; readonly page?: number } = {},
  ): AsyncGenerator<Row> {
    const { above, newestFirst = false, page } = options;
    const base: QueryCommandInput = {
      TableName: this.#name,
      KeyConditionExpression: above === undefined ? "pk = :pk" : "pk = :pk AND sk > :sk",
      ExpressionAttributeValues: { ":pk": { S: pk }, ...(above !== undefined && { ":sk": { S: above } }) },
      ScanIndexForward: !newestFirst,
      ConsistentRead: true,
      ...(page !== undefined && { Limit: page }),
    };
    let start: Item | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await this.#client.send(
        new QueryCommand(start === undefined ? base : { ...base, ExclusiveStartKey: start }),
      );
      for (const item of Items) {
        const row = this.#alive(rowOf(item));
        if (row !== undefined) yield row;
      }
      start = LastEvaluatedKey;
    } while (start !== undefined);
  }

  async all(pk: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for await (const row of this.query(pk)) rows.push(row);
    return rows;
  }

  async #unlessChanged(command: PutItemCommand | DeleteItemCommand): Promise<boolean> {
    try {
      await (command instanceof PutItemCommand ? this.#client.send(command) : this.#client.send(command));
      return true;
    } catch (thrown) {
      if (thrown instanceof ConditionalCheckFailedException) return false;
      throw thrown;
    }
  }

  async #again(attempt: () => Promise<boolean>): Promise<void> {
    for (let tries = 1; !(await attempt()); tries++) {
      if (tries === TRIES)
        throw new BusError(
          "BUS_UNREACHABLE",
          "DynamoDB did not take all of a batch; the table may be too slow: raise its capacity.",
        );
      await this.#clock.sleep(20 * 2 ** tries);
    }
  }

  #alive(row: Row | undefined): Row | undefined {
    return row !== undefined && row.expiresAt > this.#clock.now() ? row : undefined;
  }
}
