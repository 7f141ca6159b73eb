import * as z from "zod";

/** The schema of a reference to an object, as the core API has it. */
export const objectReference = z
  .object({
    apiVersion: z.string().describe("Its group and version.").optional(),
    fieldPath: z.string().optional(),
    kind: z.string().describe("Its kind.").optional(),
    name: z.string().describe("Its name.").optional(),
    namespace: z
      .string()
      .describe("Its namespace. Absent: that of the object which refers to it.")
      .optional(),
    resourceVersion: z.string().optional(),
    uid: z.string().optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
/** A reference to an object, of which everything may be absent. */
export type ObjectReference = z.output<typeof objectReference>;
