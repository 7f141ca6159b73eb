import { type Envelope, type EventDefinition, parseEvent } from "../../../events/index.ts";
import type { Bus } from "../../bus/contract.ts";
import type { Clock } from "../../clock/clock.ts";
import { notFarAhead } from "../../clock/time.ts";
import { answer, type FetchHandler, HttpError } from "./answer.ts";
import { malformed, readBody } from "./body.ts";
import { callerOf, demand, type KnownCaller } from "./caller.ts";
import { type RawEvent, readCloudEvents } from "./cloud-events.ts";
import { publishDurably } from "./publish.ts";

export interface EventsEndpointParts {
  readonly bus: Pick<Bus, "publish" | "ready">;
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  readonly callers: readonly KnownCaller[];
  readonly clock: Clock;
  readonly maximumBody: number;
}

/** The event types of watchers, the bus and hosts alone: their words are the cluster's, not a caller's. */
const INNER = /^(resource|dependency|timer)\.|^command\.outcome$/;

/** `POST /events`: CloudEvents from outside. 202 once all of them are durable with what they lead to. */
export function eventsEndpoint(parts: EventsEndpointParts): FetchHandler {
  const { bus, types, callers, clock, maximumBody } = parts;
  return async (request) => {
    const caller = await callerOf(request, callers, "events");
    const raw = readCloudEvents(request, await readBody(request, maximumBody), clock);
    const known = new Map([...types()].filter(([type]) => !INNER.test(type)));
    const events = raw.map((event, index) =>
      accept(event, { caller, known, now: clock.now(), path: raw.length > 1 ? `[${index}].` : "" }),
    );
    if (events.length === 0) return answer(200, { accepted: [], ignored: "The batch is empty." });
    await publishDurably(bus, events, clock);
    return answer(202, { accepted: events.map(({ id }) => id) });
  };
}

function accept(
  event: RawEvent,
  at: {
    readonly caller: KnownCaller;
    readonly known: ReadonlyMap<string, EventDefinition>;
    readonly now: number;
    readonly path: string;
  },
): Envelope {
  const { type } = event;
  if (typeof type === "string" && !at.known.has(type))
    throw new HttpError(
      "HTTP_UNKNOWN_TYPE",
      `${at.path}type: ${type.slice(0, 256)} is not taken here; known are ${[...at.known.keys()].sort().join(", ")}.`,
      { issues: [`${at.path}type: is unknown`] },
    );
  const isCommand = typeof type === "string" && type.startsWith("command.");
  if (isCommand) demand(at.caller, "commands");
  const parsed = parseEvent(isCommand ? askedBy(event, at.caller) : event, at.known);
  if (!parsed.ok) throw malformed(parsed.issues.map((issue) => `${at.path}${issue}`));
  return { ...parsed.event, time: notFarAhead(parsed.event.time, at.now) };
}

/** An event whose `by` is the name that the token or certificate proves; the sender's own word stands beside it. */
function askedBy(event: RawEvent, { name }: KnownCaller): RawEvent {
  const { data } = event;
  if (typeof data !== "object" || data === null || Array.isArray(data)) return event;
  const { askedBy: said } = data as { readonly askedBy?: unknown };
  const who = typeof said === "string" && said !== "" && said !== name ? `${said} via ${name}` : name;
  return { ...event, data: { ...data, askedBy: who.slice(0, 256) } };
}
