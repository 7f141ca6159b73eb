import * as z from "zod";
import { defineEventType, type EventOf } from "./envelope.ts";
import { facts, lane, subjectReference } from "./reference.ts";

const data = z.object({
  ref: subjectReference,
  era: z.int().min(0),
  resourceVersion: z.string(),
  lane,
  facts,
  was: facts.optional(),
  seen: z.array(facts).max(16),
  incomplete: z.boolean(),
});
/** An object became ready, as its kind declares readiness. */
export const dependencyReady = defineEventType({ type: "dependency.ready", meaning: "An object became ready.", data });
export type DependencyReady = EventOf<typeof dependencyReady>;
