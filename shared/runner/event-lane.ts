import type { Lane } from "../../events/index.ts";
import type { Selection, Wake } from "../function/wakes.ts";

/** So many keys of one event still count as those whom it is about. */
const FEW = 100;

/**
 * The lane in which the keys of an event without an object are looked for. One whose wake names the key, or has the server select it by its
 * name or labels, tells of something that has just come about, as a change of an object does: it goes before sweeps (B8).
 */
export function laneOfEvent(wake: Wake<never> | undefined, payload: unknown): Lane {
  if (wake?.to === "name") return "urgent";
  const where = wake?.where as ((payload: unknown) => Selection | undefined) | undefined;
  try {
    const { name, labels = {} } = where?.(payload) ?? {};
    return name !== undefined || Object.keys(labels).length > 0 ? "urgent" : "sweep";
  } catch {
    // Its keys are looked for among all.
    return "sweep";
  }
}

/** The lane of the keys that were found: many of them are a sweep, however they were selected. */
export const laneOfFound = (lane: Lane, found: number): Lane => (found > FEW ? "sweep" : lane);
