import { hash } from "node:crypto";
import { catalogue, type Envelope, type EventDefinition, envelope, parseEvent } from "../../events/index.ts";
import { messageOf } from "../errors.ts";
import { accepts } from "../schema/accepts.ts";
import type { RefusedEvent, Route } from "./contract.ts";
import type { NewItem } from "./item.ts";
import { isOwnEvent } from "./own-events.ts";
import type { RecordedEvent } from "./run-record.ts";
import { versionOf } from "./wait-cause.ts";

/** An event that a bus takes, and where it leads. */
export interface Accepted {
  readonly event: Envelope;
  readonly items: readonly NewItem[];
}
/** An event that goes to the dead letters, with its text. */
export interface Refused {
  readonly refused: RefusedEvent;
  readonly text: string;
}

const textOf = (input: unknown): string => {
  try {
    return JSON.stringify(input) ?? String(input);
  } catch (thrown) {
    return `not JSON: ${messageOf(thrown)}`;
  }
};

/** The digest of an event's body: the same change told anew (with other facts, in a sweep) is another message. */
export const digestOf = ({ data }: Envelope): string => hash("sha1", textOf(data), "base64");

/** Checks an event and routes it; what is malformed, unknown or unbearable to a route is refused. */
export function judge(
  input: unknown,
  index: number,
  types: ReadonlyMap<string, EventDefinition>,
  route: Route,
): Accepted | Refused {
  const parsed =
    isOwn(input, types) || isCertain(input, types)
      ? ({ ok: true, event: input } as const)
      : parseEvent(input, types);
  if (!parsed.ok) return refuse(input, index, parsed.issues);
  const { event } = parsed;
  try {
    return { event, items: route(event) };
  } catch (thrown) {
    // One event that a route cannot bear must not hold up its sender for ever; it is seen among the dead letters.
    return refuse(input, index, [`route: ${messageOf(thrown)}`]);
  }
}

/** True where this process built it, by the catalogue, for a bus that knows the type from there. */
const isOwn = (input: unknown, types: ReadonlyMap<string, EventDefinition>): input is Envelope =>
  isOwnEvent(input) && types.has(input.type) && types.get(input.type) === catalogue.get(input.type);

/** True where `parseEvent` would certainly take it: nearly all events are in order, and to see that takes a tenth of its time. */
function isCertain(input: unknown, types: ReadonlyMap<string, EventDefinition>): input is Envelope {
  if (!accepts(envelope, input)) return false;
  const { type, data } = input as Envelope;
  const definition = types.get(type);
  return definition !== undefined && accepts(definition.data, data);
}

function refuse(input: unknown, index: number, issues: readonly string[]): Refused {
  const text = textOf(input);
  const named =
    typeof input === "object" &&
    input !== null &&
    "id" in input &&
    typeof input.id === "string" &&
    input.id !== "";
  const id = named ? String(input.id) : `unnamed-${hash("sha1", text).slice(0, 16)}`;
  return { refused: { index, id, issues }, text };
}

/** The part of an event that the history keeps: its object, never its body. */
export function recordedEventOf(event: Envelope): RecordedEvent {
  const { id, type, subject, traceparent, time, data } = event;
  const askedBy =
    type.startsWith("command.") && typeof data === "object" && data !== null && "askedBy" in data
      ? String(data.askedBy)
      : undefined;
  return { id, type, subject, traceparent, time, askedBy, ...versionOf(event) };
}
