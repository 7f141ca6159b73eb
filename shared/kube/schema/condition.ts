import * as z from "zod";
import { int64, keyed, text, time } from "./words.ts";

/** One condition of a status, as metav1.Condition has it. */
const condition = z.object({
  type: text.describe("What the condition is about, in CamelCase."),
  status: z.enum(["True", "False", "Unknown"]).describe("Whether it holds."),
  observedGeneration: int64.describe("The metadata.generation that it was concluded from.").optional(),
  lastTransitionTime: time.describe("When the status last changed.").optional(),
  reason: text.describe("Why, in one CamelCase word.").optional(),
  message: text.describe("Why, for people.").optional(),
});
export type Condition = z.infer<typeof condition>;

/** A status's list of conditions: one a type, each with its own field manager. */
export const conditions = keyed(condition, "type");
