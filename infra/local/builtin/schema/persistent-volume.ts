import * as z from "zod";
import { ObjectReference } from "../../../../shared/kube/schema/core.ts";
import { NodeSelector } from "../../../../shared/kube/schema/selectors.ts";
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from "../../../../shared/kube/schema/volume-plugins.ts";
import { HostPathVolumeSource } from "../../../../shared/kube/schema/volumes.ts";
import {
  atomic,
  flag,
  int32,
  mapOf,
  oneOf,
  quantity,
  text,
  time,
} from "../../../../shared/kube/schema/words.ts";

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

export const AzureFilePersistentVolumeSource = z.object({
  readOnly: flag.optional(),
  secretName: text,
  secretNamespace: text.optional(),
  shareName: text,
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

export const CephFSPersistentVolumeSource = z.object({
  monitors: atomic(text),
  path: text.optional(),
  readOnly: flag.optional(),
  secretFile: text.optional(),
  secretRef: SecretReference.optional(),
  user: text.optional(),
});
export type CephFSPersistentVolumeSource = z.infer<typeof CephFSPersistentVolumeSource>;

export const CinderPersistentVolumeSource = z.object({
  fsType: text.optional(),
  readOnly: flag.optional(),
  secretRef: SecretReference.optional(),
  volumeID: text,
});
export type CinderPersistentVolumeSource = z.infer<typeof CinderPersistentVolumeSource>;

export const FlexPersistentVolumeSource = z.object({
  driver: text,
  fsType: text.optional(),
  options: mapOf(text).optional(),
  readOnly: flag.optional(),
  secretRef: SecretReference.optional(),
});
export type FlexPersistentVolumeSource = z.infer<typeof FlexPersistentVolumeSource>;

export const GlusterfsPersistentVolumeSource = z.object({
  endpoints: text,
  endpointsNamespace: text.optional(),
  path: text,
  readOnly: flag.optional(),
});
export type GlusterfsPersistentVolumeSource = z.infer<typeof GlusterfsPersistentVolumeSource>;

export const ISCSIPersistentVolumeSource = z.object({
  chapAuthDiscovery: flag.optional(),
  chapAuthSession: flag.optional(),
  fsType: text.optional(),
  initiatorName: text.optional(),
  iqn: text,
  iscsiInterface: text.default("default"),
  lun: int32,
  portals: atomic(text).optional(),
  readOnly: flag.optional(),
  secretRef: SecretReference.optional(),
  targetPortal: text,
});
export type ISCSIPersistentVolumeSource = z.infer<typeof ISCSIPersistentVolumeSource>;

export const LocalVolumeSource = z.object({
  fsType: text.optional(),
  path: text,
});
export type LocalVolumeSource = z.infer<typeof LocalVolumeSource>;

export const RBDPersistentVolumeSource = z.object({
  fsType: text.optional(),
  image: text,
  keyring: text.default("/etc/ceph/keyring"),
  monitors: atomic(text),
  pool: text.default("rbd"),
  readOnly: flag.optional(),
  secretRef: SecretReference.optional(),
  user: text.default("admin"),
});
export type RBDPersistentVolumeSource = z.infer<typeof RBDPersistentVolumeSource>;

export const ScaleIOPersistentVolumeSource = z.object({
  fsType: text.default("xfs"),
  gateway: text,
  protectionDomain: text.optional(),
  readOnly: flag.optional(),
  secretRef: SecretReference,
  sslEnabled: flag.optional(),
  storageMode: text.default("ThinProvisioned"),
  storagePool: text.optional(),
  system: text,
  volumeName: text.optional(),
});
export type ScaleIOPersistentVolumeSource = z.infer<typeof ScaleIOPersistentVolumeSource>;

export const StorageOSPersistentVolumeSource = z.object({
  fsType: text.optional(),
  readOnly: flag.optional(),
  secretRef: ObjectReference.optional(),
  volumeName: text.optional(),
  volumeNamespace: text.optional(),
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
