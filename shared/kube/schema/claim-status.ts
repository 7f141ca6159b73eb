import * as z from "zod";
import { atomic, keyed, mapOf, oneOf, quantity, text, time } from "./words.ts";

export const PersistentVolumeClaimCondition = z.object({
  lastProbeTime: time.optional(),
  lastTransitionTime: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type PersistentVolumeClaimCondition = z.infer<typeof PersistentVolumeClaimCondition>;

export const ModifyVolumeStatus = z.object({
  status: oneOf("InProgress", "Infeasible", "Pending"),
  targetVolumeAttributesClassName: text.optional(),
});
export type ModifyVolumeStatus = z.infer<typeof ModifyVolumeStatus>;

export const PersistentVolumeClaimStatus = z.object({
  accessModes: atomic(oneOf("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")).optional(),
  allocatedResourceStatuses: mapOf(
    oneOf(
      "ControllerResizeInProgress",
      "ControllerResizeInfeasible",
      "NodeResizeInProgress",
      "NodeResizeInfeasible",
      "NodeResizePending",
    ),
  ).optional(),
  allocatedResources: mapOf(quantity).optional(),
  capacity: mapOf(quantity).optional(),
  conditions: keyed(PersistentVolumeClaimCondition, "type").optional(),
  currentVolumeAttributesClassName: text.optional(),
  modifyVolumeStatus: ModifyVolumeStatus.optional(),
  phase: oneOf("Bound", "Lost", "Pending").optional(),
});
export type PersistentVolumeClaimStatus = z.infer<typeof PersistentVolumeClaimStatus>;
