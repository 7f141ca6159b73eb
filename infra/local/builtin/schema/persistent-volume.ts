import * as z from "zod";
import { ObjectReference } from "../../../../shared/kube/schema/core.ts";
import { NodeSelector } from "../../../../shared/kube/schema/selectors.ts";
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GlusterfsVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from "../../../../shared/kube/schema/volume-plugins.ts";
import { HostPathVolumeSource } from "../../../../shared/kube/schema/volumes.ts";
import { atomic, flag, mapOf, oneOf, quantity, text, time } from "../../../../shared/kube/schema/words.ts";

/**
 * A reference to a Secret with its namespace: a volume of the cluster names one, where a volume of a namespace names a Secret
 * beside it.
 */
export const SecretReference = z
  .object({
    name: text.optional(),
    namespace: text.optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type SecretReference = z.infer<typeof SecretReference>;

export const VolumeNodeAffinity = z.object({
  required: NodeSelector.optional(),
});
export type VolumeNodeAffinity = z.infer<typeof VolumeNodeAffinity>;

export const AzureFilePersistentVolumeSource = AzureFileVolumeSource.extend({
  secretNamespace: text.optional(),
});
export type AzureFilePersistentVolumeSource = z.infer<typeof AzureFilePersistentVolumeSource>;

export const CSIPersistentVolumeSource = z.object({
  controllerExpandSecretRef: SecretReference.optional(),
  controllerPublishSecretRef: SecretReference.optional(),
  driver: text,
  fsType: text.optional(),
  nodeExpandSecretRef: SecretReference.optional(),
  nodePublishSecretRef: SecretReference.optional(),
  nodeStageSecretRef: SecretReference.optional(),
  readOnly: flag.optional(),
  volumeAttributes: mapOf(text).optional(),
  volumeHandle: text,
});
export type CSIPersistentVolumeSource = z.infer<typeof CSIPersistentVolumeSource>;

export const CephFSPersistentVolumeSource = CephFSVolumeSource.extend({
  secretRef: SecretReference.optional(),
});
export type CephFSPersistentVolumeSource = z.infer<typeof CephFSPersistentVolumeSource>;

export const CinderPersistentVolumeSource = CinderVolumeSource.extend({
  secretRef: SecretReference.optional(),
});
export type CinderPersistentVolumeSource = z.infer<typeof CinderPersistentVolumeSource>;

export const FlexPersistentVolumeSource = FlexVolumeSource.extend({
  secretRef: SecretReference.optional(),
});
export type FlexPersistentVolumeSource = z.infer<typeof FlexPersistentVolumeSource>;

export const GlusterfsPersistentVolumeSource = GlusterfsVolumeSource.extend({
  endpointsNamespace: text.optional(),
});
export type GlusterfsPersistentVolumeSource = z.infer<typeof GlusterfsPersistentVolumeSource>;

export const ISCSIPersistentVolumeSource = ISCSIVolumeSource.extend({
  secretRef: SecretReference.optional(),
});
export type ISCSIPersistentVolumeSource = z.infer<typeof ISCSIPersistentVolumeSource>;

export const LocalVolumeSource = z.object({
  fsType: text.optional(),
  path: text,
});
export type LocalVolumeSource = z.infer<typeof LocalVolumeSource>;

export const RBDPersistentVolumeSource = RBDVolumeSource.extend({
  secretRef: SecretReference.optional(),
});
export type RBDPersistentVolumeSource = z.infer<typeof RBDPersistentVolumeSource>;

export const ScaleIOPersistentVolumeSource = ScaleIOVolumeSource.extend({
  secretRef: SecretReference,
});
export type ScaleIOPersistentVolumeSource = z.infer<typeof ScaleIOPersistentVolumeSource>;

export const StorageOSPersistentVolumeSource = StorageOSVolumeSource.extend({
  secretRef: ObjectReference.optional(),
});
export type StorageOSPersistentVolumeSource = z.infer<typeof StorageOSPersistentVolumeSource>;

export const PersistentVolumeSpec = z.object({
  accessModes: atomic(oneOf("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")).optional(),
  awsElasticBlockStore: AWSElasticBlockStoreVolumeSource.optional(),
  azureDisk: AzureDiskVolumeSource.optional(),
  azureFile: AzureFilePersistentVolumeSource.optional(),
  capacity: mapOf(quantity).optional(),
  cephfs: CephFSPersistentVolumeSource.optional(),
  cinder: CinderPersistentVolumeSource.optional(),
  claimRef: ObjectReference.optional(),
  csi: CSIPersistentVolumeSource.optional(),
  fc: FCVolumeSource.optional(),
  flexVolume: FlexPersistentVolumeSource.optional(),
  flocker: FlockerVolumeSource.optional(),
  gcePersistentDisk: GCEPersistentDiskVolumeSource.optional(),
  glusterfs: GlusterfsPersistentVolumeSource.optional(),
  hostPath: HostPathVolumeSource.optional(),
  iscsi: ISCSIPersistentVolumeSource.optional(),
  local: LocalVolumeSource.optional(),
  mountOptions: atomic(text).optional(),
  nfs: NFSVolumeSource.optional(),
  nodeAffinity: VolumeNodeAffinity.optional(),
  persistentVolumeReclaimPolicy: oneOf("Delete", "Recycle", "Retain").optional(),
  photonPersistentDisk: PhotonPersistentDiskVolumeSource.optional(),
  portworxVolume: PortworxVolumeSource.optional(),
  quobyte: QuobyteVolumeSource.optional(),
  rbd: RBDPersistentVolumeSource.optional(),
  scaleIO: ScaleIOPersistentVolumeSource.optional(),
  storageClassName: text.optional(),
  storageos: StorageOSPersistentVolumeSource.optional(),
  volumeAttributesClassName: text.optional(),
  volumeMode: oneOf("Block", "Filesystem").optional(),
  vsphereVolume: VsphereVirtualDiskVolumeSource.optional(),
});
export type PersistentVolumeSpec = z.infer<typeof PersistentVolumeSpec>;

export const PersistentVolumeStatus = z.object({
  lastPhaseTransitionTime: time.optional(),
  message: text.optional(),
  phase: oneOf("Available", "Bound", "Failed", "Pending", "Released").optional(),
  reason: text.optional(),
});
export type PersistentVolumeStatus = z.infer<typeof PersistentVolumeStatus>;
