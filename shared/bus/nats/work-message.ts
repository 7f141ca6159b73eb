import { bounded } from "../bounded.ts";
import type { WorkKey } from "../item.ts";
import { mergeWaiting, type Waiting } from "../waiting.ts";
import { VERSION } from "./version.ts";

/** The part that one publishing added to a waiting item. */
export interface Part {
  readonly id: string;
  /** The number of the message that brought it; absent for the one that it stands in. */
  readonly seq?: number | undefined;
  readonly waiting: Waiting;
}

/** A waiting item of one lane: all that came since its key was last taken, newest part last. */
export interface WorkMessage extends WorkKey {
  readonly version: number;
  readonly parts: readonly Part[];
}

/** More parts than this are made one: they keep their causes, up to the bound of those. */
const MAXIMUM_PARTS = 16;

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isPart = (value: unknown): value is Part =>
  isFields(value) &&
  typeof value.id === "string" &&
  isFields(value.waiting) &&
  Array.isArray(value.waiting.causes) &&
  value.waiting.causes.every(isFields) &&
  (value.waiting.sweep === undefined ||
    (isFields(value.waiting.sweep) && Array.isArray(value.waiting.sweep.facts)));

/** True where a newer version of Reveille wrote it: only its key can be relied on. */
export const isOfNewer = ({ version }: Pick<WorkMessage, "version">): boolean => version > VERSION;

/** Parses a message of the work stream. Throws a SyntaxError or TypeError for a foreign one. */
export function workMessageOf(body: Uint8Array): WorkMessage {
  const read: unknown = JSON.parse(new TextDecoder().decode(body));
  if (!isFields(read)) throw new TypeError("It is no waiting item");
  const { version, function: name, key, parts } = read;
  if (typeof version !== "number" || typeof name !== "string") throw new TypeError("It is no waiting item");
  // Of what a newer version wrote only the key is read.
  if (isOfNewer({ version })) return { version, function: name, key: String(key), parts: [] };
  if (typeof key !== "string" || !Array.isArray(parts) || !parts.every(isPart))
    throw new TypeError("It is no waiting item");
  // What else a part says, as those of earlier versions do of the object, is not sent on.
  return {
    version,
    function: name,
    key,
    parts: parts.map(({ id, seq, waiting }) => ({ id, ...(seq !== undefined && { seq }), waiting })),
  };
}

/** The news of a message beyond `covered`, up to which all is accounted for; undefined where there is none. */
export function newsOf({ parts }: WorkMessage, seq: number, covered: number): Waiting | undefined {
  return parts
    .filter((part) => (part.seq ?? seq) > covered)
    .reduce<Waiting | undefined>((older, { waiting }) => mergeWaiting(older, waiting), undefined);
}

/** The oldest parts become one when there are many. */
function few(parts: readonly Part[]): readonly Part[] {
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

/**
 * The message as text, in so many bytes of UTF-8 where that is possible: what sweeps tell of their sources is left out first, so that
 * every dependant counts.
 */
export function textOf(key: WorkKey, parts: readonly Part[], mostBytes: number): string {
  const written = (some: readonly Part[]): string => {
    const message: WorkMessage = { version: VERSION, function: key.function, key: key.key, parts: some };
    return JSON.stringify(message);
  };
  const all = few(parts);
  const text = written(all);
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const share = mostBytes / (2 * MAXIMUM_PARTS);
  return written(all.map((part) => ({ ...part, waiting: bounded(part.waiting, share) })));
}
