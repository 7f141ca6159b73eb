import * as z from "zod";

const fields = {
  CACerts: z.string().optional(),
  audience: z.string().optional(),
  ref: z
    .object({
      address: z.string().optional(),
      apiVersion: z.string().optional(),
      group: z.string().optional(),
      kind: z.string(),
      name: z.string(),
      namespace: z.string().optional(),
    })
    .optional(),
  uri: z.string().optional(),
};

/** The destination or origin of events, in Knative's words. Accepted and kept; Knative is not served. */
export const destination = z.object(fields).describe("A Knative destination. Accepted and kept.");
/** The source of events of one type. */
export const source = z.object({ ...fields, eventType: z.string() });

/** The triggers of Knative that belong to the object. Never written. */
export const triggers = z.array(z.object({ name: z.string(), namespace: z.string() }));

const serviceRef = z.object({ url: z.string().describe("Base address of the service.").optional() });
/** The services that are in use. */
export const serviceRefs = z.object({
  dataIndexRef: serviceRef.describe("The Data Index.").optional(),
  jobServiceRef: serviceRef.describe("The Jobs Service.").optional(),
});
export type ServiceRefs = z.output<typeof serviceRefs>;
