import * as z from "zod";
import { wordOf } from "./words.ts";

/** The types of a parameter's value, which itself is always a text. */
export const VALUE_TYPES = ["string", "integer", "number", "boolean", "array", "map"] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** The schema of a parameter. */
export const parameter = z.object({
  name: z.string().describe("Its name, as templates say it: .Params.NAME.").optional(),
  displayName: z.string().describe("Its name for people.").optional(),
  description: z.string().describe("What it is for.").optional(),
  required: z.boolean().describe("Whether it needs a value where it has no default.").optional(),
  default: z.string().describe("Its value where an Instance gives none.").optional(),
  trigger: z.string().describe("The plan that runs when it changes. Absent: update, else deploy.").optional(),
  "value-type": wordOf<ValueType>(...VALUE_TYPES)
    .describe("How its text is read: string, integer, number, boolean, array or map.")
    .optional(),
  immutable: z.boolean().describe("Whether it stays as it was at the beginning.").optional(),
  enum: z.array(z.string()).describe("The values that it may have. Absent: any.").optional(),
});
/** A parameter that an OperatorVersion declares. */
export type Parameter = z.output<typeof parameter>;
