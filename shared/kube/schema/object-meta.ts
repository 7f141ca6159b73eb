import * as z from "zod";
import { atomic, flag, int64, keyed, mapOf, setOf, text, time } from "./words.ts";

/** Metadata of what will be made from a claim inside a pod: all that CRDs which carry a PodSpec allow there. */
export const claimMeta = z.object({
  annotations: mapOf(text).optional(),
  finalizers: setOf(text).meta({ "x-kubernetes-patch-strategy": "merge" }).optional(),
  labels: mapOf(text).optional(),
  name: text.optional(),
  namespace: text.optional(),
});

/** Names the object that another goes with. */
export const OwnerReference = z
  .object({
    apiVersion: text,
    blockOwnerDeletion: flag.optional(),
    controller: flag.optional(),
    kind: text,
    name: text,
    uid: text,
  })
  .meta({ "x-kubernetes-map-type": "atomic" });

/** The fields that one field manager owns. */
export const ManagedFieldsEntry = z.object({
  apiVersion: text.optional(),
  fieldsType: text.optional(),
  fieldsV1: z.looseObject({}).optional(),
  manager: text.optional(),
  operation: text.optional(),
  subresource: text.optional(),
  time: time.optional(),
});

/** Metadata of objects and of templates in built-in kinds. */
export const objectMeta = z.object({
  ...claimMeta.shape,
  annotations: mapOf(text).describe("Remarks of tools, not for selecting.").optional(),
  creationTimestamp: time.describe("When the object was created.").optional(),
  deletionGracePeriodSeconds: int64.optional(),
  deletionTimestamp: time.describe("When its deletion was asked for.").optional(),
  finalizers: setOf(text)
    .meta({ "x-kubernetes-patch-strategy": "merge" })
    .describe("Who has to finish something before it may go.")
    .optional(),
  generateName: text.describe("Prefix of a name that the server completes.").optional(),
  generation: int64.describe("Counts changes of what is wished for.").optional(),
  labels: mapOf(text).describe("Names and values by which objects are selected.").optional(),
  managedFields: atomic(ManagedFieldsEntry).describe("Which field manager owns which fields.").optional(),
  name: text.describe("Name, unique for its kind in its namespace.").optional(),
  namespace: text.describe("The namespace that it lives in.").optional(),
  ownerReferences: keyed(OwnerReference, "uid").describe("The objects that it goes with.").optional(),
  resourceVersion: text.describe("Version of the stored object, for comparing writes.").optional(),
  selfLink: text.optional(),
  uid: text.describe("Unique in time and space.").optional(),
});
