import type { Envelope } from "../../events/index.ts";

/** Marks are no part of an event: no copy has one, and no text can carry one. */
const own = new WeakSet<object>();

/**
 * Marks an event as built by this process, so that a bus in it does not check it again.
 * Whoever calls this answers for the event: its schema takes it, and nobody changes it afterwards.
 */
export function asOwnEvent<E extends Envelope>(event: E): E {
  own.add(event);
  return event;
}

/** True for an event that this process built. What came from elsewhere, or is a copy, never is one. */
export const isOwnEvent = (input: unknown): input is Envelope =>
  typeof input === "object" && input !== null && own.has(input);
