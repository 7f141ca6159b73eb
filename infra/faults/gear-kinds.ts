import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

/** A number that Gears multiply by. */
export class Factor extends defineKind({
  group: "faults.example.org",
  version: "v1",
  kind: "Factor",
  scope: "Namespaced",
  description: "A number that Gears multiply by.",
  fields: { spec: z.object({ value: z.int() }) },
  status: z.object({ observedGeneration: z.int().optional() }),
  facts: (it) => ({ value: it.spec.value }),
}) {}

/** The harm that a run of a Gear does to its host. `exit` ends the process, `loop` holds its event loop for ever. */
export const poisons = ["exit", "throw", "reject", "hang", "loop"] as const;

/** A number, multiplied by a Factor, kept in a child, in a mirror in another namespace, and in the namespace's tally. */
export class Gear extends defineKind({
  group: "faults.example.org",
  version: "v1",
  kind: "Gear",
  scope: "Namespaced",
  description: "A number to multiply by a Factor.",
  fields: {
    spec: z.object({
      value: z.int(),
      factor: z.string(),
      poison: z.enum(poisons).optional(),
      takesMilliseconds: z.int().min(0).optional().describe("For so long a run takes."),
    }),
  },
  status: z.object({
    observedGeneration: z.int().optional(),
    product: z.int().optional(),
    factor: z.int().optional().describe("The Factor's value that the product rests on."),
    failed: z.string().optional().describe("The code of an error that nobody caught."),
  }),
  facts: (it) => ({ factor: it.spec.factor, product: it.status.product }),
}) {}
