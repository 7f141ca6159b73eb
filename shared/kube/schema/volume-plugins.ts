import * as z from "zod";
import { LocalObjectReference } from "./references.ts";
import { atomic, flag, int32, mapOf, oneOf, text } from "./words.ts";

export const AWSElasticBlockStoreVolumeSource = z.object({
  fsType: text.optional(),
  partition: int32.optional(),
  readOnly: flag.optional(),
  volumeID: text,
});
export type AWSElasticBlockStoreVolumeSource = z.infer<typeof AWSElasticBlockStoreVolumeSource>;

export const AzureDiskVolumeSource = z.object({
  cachingMode: oneOf("None", "ReadOnly", "ReadWrite").default("ReadWrite"),
  diskName: text,
  diskURI: text,
  fsType: text.default("ext4"),
  kind: oneOf("Dedicated", "Managed", "Shared").default("Shared"),
  readOnly: flag.default(false),
});
export type AzureDiskVolumeSource = z.infer<typeof AzureDiskVolumeSource>;

export const AzureFileVolumeSource = z.object({
  readOnly: flag.optional(),
  secretName: text,
  shareName: text,
});
export type AzureFileVolumeSource = z.infer<typeof AzureFileVolumeSource>;

export const CephFSVolumeSource = z.object({
  monitors: atomic(text),
  path: text.optional(),
  readOnly: flag.optional(),
  secretFile: text.optional(),
  secretRef: LocalObjectReference.optional(),
  user: text.optional(),
});
export type CephFSVolumeSource = z.infer<typeof CephFSVolumeSource>;

export const CinderVolumeSource = z.object({
  fsType: text.optional(),
  readOnly: flag.optional(),
  secretRef: LocalObjectReference.optional(),
  volumeID: text,
});
export type CinderVolumeSource = z.infer<typeof CinderVolumeSource>;

export const CSIVolumeSource = z.object({
  driver: text,
  fsType: text.optional(),
  nodePublishSecretRef: LocalObjectReference.optional(),
  readOnly: flag.optional(),
  volumeAttributes: mapOf(text).optional(),
});
export type CSIVolumeSource = z.infer<typeof CSIVolumeSource>;

export const FCVolumeSource = z.object({
  fsType: text.optional(),
  lun: int32.optional(),
  readOnly: flag.optional(),
  targetWWNs: atomic(text).optional(),
  wwids: atomic(text).optional(),
});
export type FCVolumeSource = z.infer<typeof FCVolumeSource>;

export const FlexVolumeSource = z.object({
  driver: text,
  fsType: text.optional(),
  options: mapOf(text).optional(),
  readOnly: flag.optional(),
  secretRef: LocalObjectReference.optional(),
});
export type FlexVolumeSource = z.infer<typeof FlexVolumeSource>;

export const FlockerVolumeSource = z.object({
  datasetName: text.optional(),
  datasetUUID: text.optional(),
});
export type FlockerVolumeSource = z.infer<typeof FlockerVolumeSource>;

export const GCEPersistentDiskVolumeSource = z.object({
  fsType: text.optional(),
  partition: int32.optional(),
  pdName: text,
  readOnly: flag.optional(),
});
export type GCEPersistentDiskVolumeSource = z.infer<typeof GCEPersistentDiskVolumeSource>;

export const GitRepoVolumeSource = z.object({
  directory: text.optional(),
  repository: text,
  revision: text.optional(),
});
export type GitRepoVolumeSource = z.infer<typeof GitRepoVolumeSource>;

export const GlusterfsVolumeSource = z.object({
  endpoints: text,
  path: text,
  readOnly: flag.optional(),
});
export type GlusterfsVolumeSource = z.infer<typeof GlusterfsVolumeSource>;

export const ISCSIVolumeSource = z.object({
  chapAuthDiscovery: flag.optional(),
  chapAuthSession: flag.optional(),
  fsType: text.optional(),
  initiatorName: text.optional(),
  iqn: text,
  iscsiInterface: text.default("default"),
  lun: int32,
  portals: atomic(text).optional(),
  readOnly: flag.optional(),
  secretRef: LocalObjectReference.optional(),
  targetPortal: text,
});
export type ISCSIVolumeSource = z.infer<typeof ISCSIVolumeSource>;

export const NFSVolumeSource = z.object({
  path: text,
  readOnly: flag.optional(),
  server: text,
});
export type NFSVolumeSource = z.infer<typeof NFSVolumeSource>;

export const PhotonPersistentDiskVolumeSource = z.object({
  fsType: text.optional(),
  pdID: text,
});
export type PhotonPersistentDiskVolumeSource = z.infer<typeof PhotonPersistentDiskVolumeSource>;

export const PortworxVolumeSource = z.object({
  fsType: text.optional(),
  readOnly: flag.optional(),
  volumeID: text,
});
export type PortworxVolumeSource = z.infer<typeof PortworxVolumeSource>;

export const QuobyteVolumeSource = z.object({
  group: text.optional(),
  readOnly: flag.optional(),
  registry: text,
  tenant: text.optional(),
  user: text.optional(),
  volume: text,
});
export type QuobyteVolumeSource = z.infer<typeof QuobyteVolumeSource>;

export const RBDVolumeSource = z.object({
  fsType: text.optional(),
  image: text,
  keyring: text.default("/etc/ceph/keyring"),
  monitors: atomic(text),
  pool: text.default("rbd"),
  readOnly: flag.optional(),
  secretRef: LocalObjectReference.optional(),
  user: text.default("admin"),
});
export type RBDVolumeSource = z.infer<typeof RBDVolumeSource>;

export const ScaleIOVolumeSource = z.object({
  fsType: text.default("xfs"),
  gateway: text,
  protectionDomain: text.optional(),
  readOnly: flag.optional(),
  secretRef: LocalObjectReference,
  sslEnabled: flag.optional(),
  storageMode: text.default("ThinProvisioned"),
  storagePool: text.optional(),
  system: text,
  volumeName: text.optional(),
});
export type ScaleIOVolumeSource = z.infer<typeof ScaleIOVolumeSource>;

export const StorageOSVolumeSource = z.object({
  fsType: text.optional(),
  readOnly: flag.optional(),
  secretRef: LocalObjectReference.optional(),
  volumeName: text.optional(),
  volumeNamespace: text.optional(),
});
export type StorageOSVolumeSource = z.infer<typeof StorageOSVolumeSource>;

export const VsphereVirtualDiskVolumeSource = z.object({
  fsType: text.optional(),
  storagePolicyID: text.optional(),
  storagePolicyName: text.optional(),
  volumePath: text,
});
export type VsphereVirtualDiskVolumeSource = z.infer<typeof VsphereVirtualDiskVolumeSource>;
