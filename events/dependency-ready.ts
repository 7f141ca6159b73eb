import { defineEventType, type EventOf } from "./envelope.ts";
import { readinessFields } from "./reference.ts";

/** An object became ready, as its kind declares readiness. */
export const dependencyReady = defineEventType({
  type: "dependency.ready",
  meaning: "An object became ready.",
  data: readinessFields,
});
export type DependencyReady = EventOf<typeof dependencyReady>;
