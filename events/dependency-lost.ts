import { defineEventType, type EventOf } from "./envelope.ts";
import { readinessFields } from "./reference.ts";

/** An object that was ready is no longer, or is gone. */
export const dependencyLost = defineEventType({
  type: "dependency.lost",
  meaning: "An object that was ready no longer is, or is gone.",
  data: readinessFields,
});
export type DependencyLost = EventOf<typeof dependencyLost>;
