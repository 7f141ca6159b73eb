import * as z from "zod";

const name = z.string().min(1).max(253);
/** The object that an event is about. */
export const subjectReference = z.object({
  cluster: z.string().max(253),
  group: z.string().max(253),
  version: name,
  kind: name,
  namespace: name.optional(),
  name,
  uid: z.string().max(128),
});
export type SubjectReference = z.output<typeof subjectReference>;

export const ownerReference = z.object({
  apiVersion: z.string(),
  kind: name,
  name,
  uid: z.string(),
  controller: z.boolean().optional(),
});

/** The most owners that an event names: where it names as many, there may be more. */
export const MOST_OWNERS = 32;

/** Facts by name. They never hold secrets. One that is long stands there as its digest. */
export const facts = z.record(z.string(), z.json());
/** `urgent`: what somebody caused. `sweep`: compares, resyncs and roll-outs, which must not hold up the former. */
export const lane = z.enum(["urgent", "sweep"]);
export type Lane = z.output<typeof lane>;

/** The fields of both flips of readiness. */
export const readinessFields = z.object({
  ref: subjectReference,
  era: z.int().min(0),
  resourceVersion: z.string(),
  lane,
  facts,
  was: facts.optional(),
  seen: z.array(facts).max(16),
  incomplete: z.boolean(),
});
