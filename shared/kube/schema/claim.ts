import * as z from "zod";
import { claimMeta } from "./object-meta.ts";
import { TypedLocalObjectReference, TypedObjectReference } from "./references.ts";
import { VolumeResourceRequirements } from "./resources.ts";
import { LabelSelector } from "./selectors.ts";
import { atomic, oneOf, text } from "./words.ts";

export const PersistentVolumeClaimSpec = z.object({
  accessModes: atomic(oneOf("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")).optional(),
  dataSource: TypedLocalObjectReference.optional(),
  dataSourceRef: TypedObjectReference.optional(),
  resources: VolumeResourceRequirements.optional(),
  selector: LabelSelector.optional(),
  storageClassName: text.optional(),
  volumeAttributesClassName: text.optional(),
  volumeMode: oneOf("Block", "Filesystem").optional(),
  volumeName: text.optional(),
});
export type PersistentVolumeClaimSpec = z.infer<typeof PersistentVolumeClaimSpec>;

export const PersistentVolumeClaimTemplate = z.object({
  metadata: claimMeta.optional(),
  spec: PersistentVolumeClaimSpec,
});
export type PersistentVolumeClaimTemplate = z.infer<typeof PersistentVolumeClaimTemplate>;
