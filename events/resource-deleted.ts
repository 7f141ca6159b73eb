import * as z from "zod";
import { defineEventType, type EventOf } from "./envelope.ts";
import { facts, lane, ownerReference, subjectReference } from "./reference.ts";

/** An object is gone. */
export const resourceDeleted = defineEventType({
  type: "resource.deleted",
  meaning: "An object of this uid is gone.",
  data: z.object({
    ref: subjectReference,
    era: z.int().min(0),
    /** The last version that is known. */
    resourceVersion: z.string(),
    lane,
    was: facts,
    seen: z.array(facts).max(16),
    incomplete: z.boolean(),
    owners: z.array(ownerReference),
    ready: z.boolean().optional(),
    /** True: it is told for those alone who wait for the object; no other wake follows from it. */
    awaited: z.literal(true).optional(),
  }),
});
export type ResourceDeleted = EventOf<typeof resourceDeleted>;
