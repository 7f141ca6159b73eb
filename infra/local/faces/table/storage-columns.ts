import type { KubeObject } from "../../../../shared/kube/object.ts";
import { age, at, orUnset, textOf, textsOf } from "./cells.ts";
import { column, type TableColumn } from "./columns.ts";

const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};
const modes = (object: KubeObject, ...path: readonly string[]): string =>
  [...new Set(textsOf(object, ...path).map((mode) => SHORT[mode] ?? mode))].join(",");
const mode = column("VolumeMode", (object) => orUnset(textOf(object, "spec", "volumeMode")), { wide: true });
const className = (object: KubeObject): string =>
  object.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ??
  textOf(object, "spec", "storageClassName");
const attributes = column("VolumeAttributesClass", (object) =>
  orUnset(textOf(object, "spec", "volumeAttributesClassName")),
);

function claimOf(volume: KubeObject): string {
  const claim = at(volume, "spec", "claimRef");
  return claim === undefined ? "" : `${textOf(claim, "namespace")}/${textOf(claim, "name")}`;
}

const DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

/** Claims, volumes and their classes. */
export const storageColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  "/PersistentVolumeClaim": [
    column("Status", (object) =>
      object.metadata.deletionTimestamp === undefined ? textOf(object, "status", "phase") : "Terminating",
    ),
    column("Volume", (object) => textOf(object, "spec", "volumeName")),
    column("Capacity", (object) =>
      textOf(object, "spec", "volumeName") === "" ? "" : textOf(object, "status", "capacity", "storage"),
    ),
    column("Access Modes", (object) =>
      textOf(object, "spec", "volumeName") === "" ? "" : modes(object, "status", "accessModes"),
    ),
    column("StorageClass", className),
    attributes,
    age,
    mode,
  ],
  "/PersistentVolume": [
    column("Capacity", (object) => textOf(object, "spec", "capacity", "storage")),
    column("Access Modes", (object) => modes(object, "spec", "accessModes")),
    column("Reclaim Policy", (object) => textOf(object, "spec", "persistentVolumeReclaimPolicy")),
    column("Status", (object) =>
      object.metadata.deletionTimestamp === undefined ? textOf(object, "status", "phase") : "Terminating",
    ),
    column("Claim", claimOf),
    column("StorageClass", className),
    attributes,
    column("Reason", (object) => textOf(object, "status", "reason")),
    age,
    mode,
  ],
  "storage.k8s.io/StorageClass": [
    column("Provisioner", (object) => textOf(object, "provisioner")),
    column("ReclaimPolicy", (object) => textOf(object, "reclaimPolicy")),
    column("VolumeBindingMode", (object) => textOf(object, "volumeBindingMode")),
    column("AllowVolumeExpansion", (object) => at(object, "allowVolumeExpansion") === true),
    age,
  ],
};

/** The name of a class that is used where none is given is marked. */
export const markedName = (object: KubeObject): string =>
  object.metadata.annotations?.[DEFAULT_CLASS] === "true"
    ? `${object.metadata.name} (default)`
    : object.metadata.name;
