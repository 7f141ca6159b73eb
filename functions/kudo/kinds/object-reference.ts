import * as z from "zod";

/** A reference to an object, as upstream writes it: of all fields only name and namespace are looked at. */
export const objectReference = z.object({
  apiVersion: z.string().optional(),
  fieldPath: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().describe("Its name.").optional(),
  namespace: z.string().describe("Its namespace. Absent: that of the object which refers to it.").optional(),
  resourceVersion: z.string().optional(),
  uid: z.string().optional(),
});
/** A reference to an object of which name and namespace count. */
export type ObjectReference = z.output<typeof objectReference>;
