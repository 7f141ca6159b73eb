import { sameJson } from "../../../shared/json/same-json.ts";
import { compareQuantities } from "../../../shared/kube/quantity.ts";
import { PersistentVolumeClaimSpec } from "../../../shared/kube/schema/claim.ts";
import { PersistentVolumeClaimStatus } from "../../../shared/kube/schema/claim-status.ts";
import { atomic, flag, mapOf, oneOf, text } from "../../../shared/kube/schema/words.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { subdomainForm } from "../forms.ts";
import { isObject } from "../json.ts";
import type { ResourceType } from "../resource-type.ts";
import { labelSelectorFaults } from "../select/label-faults.ts";
import { builtIn } from "./built-in.ts";
import { defaultClaimSpec } from "./pod-defaults.ts";
import { fillIn, objectAt, objectIn, textAt } from "./reading.ts";
import { formFaults } from "./rules.ts";
import { PersistentVolumeSpec, PersistentVolumeStatus } from "./schema/persistent-volume.ts";
import { TopologySelectorTerm } from "./schema/storage.ts";

const CLAIM_MAY_CHANGE = new Set(["resources", "volumeName", "volumeAttributesClassName"]);

/** Claims, volumes and their classes. Nothing here binds a claim: that is a controller's work. */
export const storage: readonly ResourceType[] = [
  builtIn({
    kind: "PersistentVolumeClaim",
    shortNames: ["pvc"],
    description: "Asks for storage.",
    fields: { spec: PersistentVolumeClaimSpec.optional(), status: PersistentVolumeClaimStatus.optional() },
    status: true,
    strategy: {
      default(object) {
        defaultClaimSpec(objectIn(object, "spec"));
        fillIn(objectIn(object, "status"), { phase: "Pending" });
      },
      prepareForCreate(object) {
        object.status = { phase: "Pending" };
      },
      validate(object, previous, subresource) {
        if (subresource === "status") return [];
        const spec = objectAt(object, "spec");
        const errors: FieldError[] = [];
        if (!Array.isArray(spec.accessModes) || spec.accessModes.length === 0)
          errors.push(fault.required("spec.accessModes", "at least 1 access mode is required"));
        else if (spec.accessModes.length > 1 && spec.accessModes.includes("ReadWriteOncePod"))
          errors.push(
            fault.forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes"),
          );
        const { storage } = objectAt(objectAt(spec, "resources"), "requests");
        if (storage === undefined) errors.push(fault.required("spec.resources[storage]"));
        else if ((compareQuantities(storage, 0) ?? 1) <= 0)
          errors.push(fault.invalid("spec.resources[storage]", storage, "must be greater than zero"));
        errors.push(
          ...formFaults(textAt(spec, "storageClassName"), subdomainForm, "spec.storageClassName"),
          ...labelSelectorFaults(spec.selector, "spec.selector"),
        );
        const before = previous === undefined ? undefined : objectAt(previous, "spec");
        if (
          before !== undefined &&
          [...new Set([...Object.keys(spec), ...Object.keys(before)])].some(
            (field) => !CLAIM_MAY_CHANGE.has(field) && !sameJson(spec[field], before[field]),
          )
        )
          errors.push(
            fault.forbidden(
              "spec",
              "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
            ),
          );
        return errors;
      },
    },
  }),
  builtIn({
    kind: "PersistentVolume",
    shortNames: ["pv"],
    cluster: true,
    description: "A piece of storage.",
    fields: { spec: PersistentVolumeSpec.optional(), status: PersistentVolumeStatus.optional() },
    status: true,
    strategy: {
      default(object) {
        const spec = objectIn(object, "spec");
        fillIn(spec, { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" });
        if (isObject(spec.hostPath)) fillIn(spec.hostPath, { type: "" });
        objectIn(object, "status");
      },
      prepareForCreate(object, { now }) {
        object.status = {
          phase: "Pending",
          lastPhaseTransitionTime: new Date(now).toISOString().replace(/\.\d+Z$/, "Z"),
        };
      },
    },
  }),
  builtIn({
    group: "storage.k8s.io",
    kind: "StorageClass",
    plural: "storageclasses",
    shortNames: ["sc"],
    cluster: true,
    description: "A sort of storage, and who provides it.",
    fields: {
      allowVolumeExpansion: flag.optional(),
      allowedTopologies: atomic(TopologySelectorTerm).optional(),
      mountOptions: atomic(text).optional(),
      parameters: mapOf(text).optional(),
      provisioner: text,
      reclaimPolicy: oneOf("Delete", "Recycle", "Retain").optional(),
      volumeBindingMode: oneOf("Immediate", "WaitForFirstConsumer").optional(),
    },
    strategy: {
      default(object) {
        fillIn(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
      },
    },
  }),
];
