import { hash } from "node:crypto";
import { bounded } from "../bounded.ts";
import type { NewItem, WorkKey } from "../item.ts";
import { type Waiting, waitingOf } from "../waiting.ts";

/** The format of what travels; a host gives back what a newer one sent. `function` and `key` stay in every format. */
export const VERSION = 1;

/** Far below the 1 MiB of a message and the 400 KB of a DynamoDB item. */
export const MAXIMUM_BYTES = 200_000;

/** A message of a work queue. */
export interface WorkMessage extends WorkKey {
  /** The version of its format; absent where this process made it. */
  readonly version?: number | undefined;
  /** The item that it carries. Undefined where the key's record says all: a retry is due. */
  readonly waiting?: Waiting | undefined;
  /** The era of the event that it came from. */
  readonly era?: number | undefined;
  /** The number of hosts that had died with the key's item, one after the other, before this message was sent. */
  readonly deaths?: number | undefined;
}

/** A message of the timer queue: "look at this key's timers", or work that is not due yet. */
export type TimerMessage =
  | ({
      readonly version?: number | undefined;
      readonly sort: "alarm";
      /** The time at which it is to arrive for good; it may take several hops. Milliseconds since the epoch. */
      readonly at: number;
    } & WorkKey)
  | {
      readonly version?: number | undefined;
      readonly sort: "work";
      readonly at: number;
      readonly work: WorkMessage;
      /** Under which it goes on to its work queue. */
      readonly deduplicationId: string;
    };

/** A message as it was received. */
export interface Delivery {
  readonly id: string;
  readonly receipt: string;
  readonly body: string;
  /** The number of its deliveries, this one included. */
  readonly receives: number;
  /** The time at which it was received, in milliseconds since the epoch, where that is known. */
  readonly receivedAt?: number | undefined;
}

export const messageOf = (item: NewItem, now: number, era?: number): WorkMessage => ({
  function: item.function,
  key: item.key,
  waiting: bounded(waitingOf(item, now), MAXIMUM_BYTES),
  era,
});

const digest = (...parts: readonly unknown[]): string => hash("sha256", JSON.stringify(parts), "hex");

/** The message group of a key: while a message of it is out, no other one comes. That is the lease. */
export const groupOf = ({ function: name, key }: WorkKey): string => digest(name, key);

/**
 * One and the same message has one id, however often it is sent. What makes it another one (the attempt, the body, the time
 * that was due) is part of it, so that neither a retry, a redrive nor a change back and forth vanishes.
 */
export const deduplicationIdOf = (key: WorkKey, ...parts: readonly unknown[]): string =>
  digest(key.function, key.key, ...parts);

/** A message's text. SQS refuses two characters that JSON leaves as they are; one user's label may not stop a watcher. */
export const bodyOf = (message: WorkMessage | TimerMessage): string =>
  JSON.stringify({ version: VERSION, ...message }).replace(
    /[\uFFFE\uFFFF]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16)}`,
  );

/** True where a newer version of Reveille sent it: it may say something that this one does not know. */
export const isNewer = ({ version = VERSION }: { readonly version?: number | undefined }): boolean =>
  version > VERSION;

/**
 * The number of hosts in a row with which the key's item has died, as far as its messages tell: each delivery before the present
 * one ended with the death of its host, unless its end was recorded and only the message was not forgotten.
 */
export const deathsOf = (
  arrivals: readonly { readonly delivery: Pick<Delivery, "receives">; readonly work: WorkMessage }[],
): number =>
  Math.max(
    0,
    ...arrivals
      .filter(({ work }) => !isNewer(work))
      .map(
        ({ delivery: { receives }, work: { deaths = 0, waiting } }) =>
          Math.max(deaths, waiting?.deaths ?? 0) + Math.max(0, receives - 1),
      ),
  );

/** Reads a message of ours, one of a newer version too; undefined where it is none. */
export function readWork(body: string): WorkMessage | undefined {
  const read = readObject(body);
  return isWork(read) ? read : undefined;
}

/** Reads a message of the timer queue, one of a newer version too; undefined for a foreign message. */
export function readTimer(body: string): TimerMessage | undefined {
  const read = readObject(body);
  if (read === undefined || !isVersion(read)) return undefined;
  if (isNewer(read)) return read as unknown as TimerMessage;
  if (typeof read.at !== "number") return undefined;
  if (read.sort === "alarm" && isKey(read)) return read as unknown as TimerMessage;
  if (read.sort === "work" && typeof read.deduplicationId === "string" && isWork(read.work))
    return read as unknown as TimerMessage;
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isVersion = (value: Fields): value is Fields & { readonly version?: number } =>
  value.version === undefined || typeof value.version === "number";
const isKey = (value: Fields): boolean => typeof value.function === "string" && typeof value.key === "string";

function isWork(value: unknown): value is WorkMessage {
  if (!isFields(value) || !isKey(value) || !isVersion(value)) return false;
  if (isNewer(value)) return true;
  const { waiting, deaths } = value;
  if (deaths !== undefined && typeof deaths !== "number") return false;
  return waiting === undefined || (isFields(waiting) && Array.isArray(waiting.causes));
}

function readObject(body: string): Fields | undefined {
  try {
    const read: unknown = JSON.parse(body);
    return isFields(read) ? read : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
