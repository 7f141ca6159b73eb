import * as z from "zod";
import { defineEventType, type EventOf } from "./envelope.ts";
import { facts, lane, ownerReference, subjectReference } from "./reference.ts";

/** One object's present state, beside the state that was last published. */
export const resourceChanged = defineEventType({
  type: "resource.changed",
  meaning: "An object appeared, or a part of it that somebody waits for changed.",
  data: z.object({
    ref: subjectReference,
    /** Versions compare as (era, resourceVersion), within one kind. */
    era: z.int().min(0),
    resourceVersion: z.string(),
    generation: z.int().min(0),
    lane,
    /**
     * The parts that differ from what was last published. `created`: it was not known, or under another uid. `object`: spec,
     * data, labels, annotations, owners, finalizers, deletion. `status`: anything in the status. `facts`, `ready`: those of its
     * kind's declaration. `unknown`: a compare found it; assume everything.
     */
    differs: z.array(z.enum(["created", "object", "status", "facts", "ready", "unknown"])).min(1),
    facts,
    /** The facts that were last published; absent where none were. */
    was: facts.optional(),
    /** Facts seen between the two, oldest first, 16 at most. */
    seen: z.array(facts).max(16),
    /** True where more was seen than is told, or may have been: a predicate then counts as true. */
    incomplete: z.boolean(),
    owners: z.array(ownerReference),
    /** The owners last published, where they differ: one that was let go of wakes too. */
    wereOwners: z.array(ownerReference).optional(),
    /** Absent where its kind declares no readiness. */
    ready: z.boolean().optional(),
    deleting: z.boolean(),
    /** True: it is told for those alone who wait for the object; no other wake follows from it. */
    awaited: z.literal(true).optional(),
  }),
});
export type ResourceChanged = EventOf<typeof resourceChanged>;
