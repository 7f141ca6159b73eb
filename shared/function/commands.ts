import { hash } from "node:crypto";
import type { Envelope } from "../../events/index.ts";
import type { NewItem } from "../bus/item.ts";
import { type KeyText, objectKey } from "./key.ts";

/**
 * The name under which hosts carry out commands: no function may be called so. A command is a work item of its own, so buses
 * keep, deliver and remember it as they do every other.
 */
export const COMMANDS = "commands";

/** The types of command that hosts carry out; `command.outcome` tells the result of one. */
export const commandTypes: readonly string[] = [
  "command.pause",
  "command.recheck-release",
  "command.reconcile",
  "command.redrive",
  "command.resume",
];

/** A command as its work item carries it. */
export interface CommandFacts {
  readonly id: string;
  readonly type: string;
  /** RFC 3339: of two commands about the same object, the later one counts. */
  readonly time: string;
  readonly payload: unknown;
}

/** A command's id, or its digest where the id is no short plain name. */
export const commandName = (id: string): string => (/^[\w.-]{1,128}$/.test(id) ? id : hash("sha256", id));

/** The key of a command. Each has its own: none replaces another while it waits. */
export const commandKey = (id: string): KeyText =>
  objectKey({ group: "reveille.dev", kind: "Command" }, { cluster: "", name: commandName(id) });

/** The work item of a command; undefined where the event is no command. */
export function commandItem(event: Envelope): NewItem | undefined {
  if (!commandTypes.includes(event.type)) return undefined;
  const { id, type, time, data: payload, traceparent } = event;
  const facts: CommandFacts = { id, type, time, payload };
  const key = commandKey(id);
  return {
    function: COMMANDS,
    key,
    lane: "urgent",
    cause: {
      sort: "command",
      eventId: id,
      type,
      subject: key.slice(1),
      revives: true,
      at: time,
      traceparent,
    },
    sweep: {
      wake: 0,
      subject: { cluster: "", name: id },
      facts: [{ ...facts }],
      gone: false,
      incomplete: false,
    },
  };
}
