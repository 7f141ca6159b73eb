import * as z from "zod";
import { mapOf, setOf, text } from "./words.ts";

/** Metadata inside another object, of what will be made from it (pod and claim templates). */
export const objectMeta = z.object({
  annotations: mapOf(text).optional(),
  finalizers: setOf(text).meta({ "x-kubernetes-patch-strategy": "merge" }).optional(),
  labels: mapOf(text).optional(),
  name: text.optional(),
  namespace: text.optional(),
});
export type ObjectMeta = z.infer<typeof objectMeta>;
