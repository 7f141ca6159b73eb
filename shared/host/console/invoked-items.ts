import {
  type CommandReconcile,
  completeEvent,
  type Envelope,
  type EventDefinition,
  parseEvent,
  type TimerDue,
} from "../../../events/index.ts";
import type { NewItem } from "../../bus/item.ts";
import type { FunctionDeclaration } from "../../function/declaration.ts";
import { parseKey } from "../../function/key.ts";
import { createRouter, everyKey } from "../../runner/router.ts";
import { InvocationError } from "./invocation.ts";

/** The event that somebody handed in; its faults by their paths. */
export function parseInvoked(
  input: unknown,
  types: ReadonlyMap<string, EventDefinition>,
  now: number,
): Envelope {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  if (isObject) refuseWishes(input);
  const parsed = parseEvent(isObject ? completeEvent(input, now) : input, types);
  if (parsed.ok) return parsed.event;
  const type = (input as { readonly type?: unknown } | null)?.type;
  if (typeof type === "string" && !types.has(type))
    throw new InvocationError(
      "INVOKE_TYPE_UNKNOWN",
      `${type.slice(0, 256)} is no type of event; known are ${[...types.keys()].sort().join(", ")}.`,
      parsed.issues,
    );
  throw malformed(parsed.issues);
}

const malformed = (issues: readonly string[]): InvocationError =>
  new InvocationError("INVOKE_EVENT_MALFORMED", `The event is malformed: ${issues.join("; ")}.`, issues);

/** An event may have attributes that nobody knows; one that wishes for a dry run would run for real. */
function refuseWishes(event: object): void {
  const wishes = Object.keys(event).filter((name) => /^dry[-_]?run$/i.test(name));
  if (wishes.length > 0)
    throw malformed(wishes.map((name) => `${name}: is no attribute of an event; say it beside the event`));
}

/**
 * The items that the event leads to for this function alone, as the router would have it, and timers as the bus would. Whatever
 * cluster the event names, they are this host's: another name would be another key, and run beside the true one.
 */
export function itemsFor(
  declaration: FunctionDeclaration,
  event: Envelope,
  cluster: string,
): readonly NewItem[] {
  const cause = { eventId: event.id, type: event.type, at: event.time, traceparent: event.traceparent };
  const { name } = declaration;
  if (event.type === "timer.due") {
    const due = event.data as TimerDue["data"];
    if (due.function !== name) return [];
    const { sort, name: timer, dueAt } = due;
    const key = keyHere(due.key, cluster);
    return [{ function: name, key, lane: "urgent", cause: { ...cause, sort, timer, dueAt, revives: false } }];
  }
  if (event.type === "command.reconcile") {
    const asked = event.data as CommandReconcile["data"];
    if (asked.function !== name) return [];
    // Without them all keys would be looked at.
    for (const field of ["object", "kind"] as const)
      if (asked[field] !== undefined) throw malformed([`data.${field}: name a key of ${name} here`]);
    const command = { ...cause, sort: "command", revives: true } as const;
    return [
      asked.key === undefined
        ? everyKey(declaration, cluster, command)
        : { function: name, key: keyHere(asked.key, cluster), lane: "urgent", cause: command },
    ];
  }
  return createRouter([declaration])
    .route(eventHere(event, cluster))
    .filter((item) => item.function === name);
}

/** Throws an `InvocationError` where it is no key. */
function keyHere(text: string, cluster: string): string {
  try {
    if (parseKey(text).of !== "sweep") return text.replace(/^[^/]*/, cluster);
  } catch (thrown) {
    if (!(thrown instanceof TypeError || thrown instanceof URIError)) throw thrown;
  }
  throw malformed(["data.key: expected cluster/group/kind/namespace/name"]);
}

function eventHere(event: Envelope, cluster: string): Envelope {
  const { ref } = event.data as { readonly ref?: object };
  return ref === undefined
    ? event
    : { ...event, data: { ...(event.data as object), ref: { ...ref, cluster } } };
}
