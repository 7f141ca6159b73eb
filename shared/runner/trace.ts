import { randomUUID } from "node:crypto";

/**
 * A new trace id, from the pool that `randomUUID` keeps: asking the system for a few random bytes takes longer than a run's
 * decision.
 */
export const newTrace = (): string => randomUUID().replaceAll("-", "");
export const newSpan = (): string => newTrace().slice(-16);
