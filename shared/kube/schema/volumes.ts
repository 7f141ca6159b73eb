import * as z from "zod";
import { PersistentVolumeClaimTemplate } from "./claim.ts";
import { DownwardAPIVolumeFile, VolumeProjection } from "./projections.ts";
import { KeyToPath } from "./references.ts";
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GitRepoVolumeSource,
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
} from "./volume-plugins.ts";
import { atomic, flag, int32, oneOf, quantity, text } from "./words.ts";

export const ConfigMapVolumeSource = z.object({
  defaultMode: int32.optional(),
  items: atomic(KeyToPath).optional(),
  name: text.default(""),
  optional: flag.optional(),
});
export type ConfigMapVolumeSource = z.infer<typeof ConfigMapVolumeSource>;

export const DownwardAPIVolumeSource = z.object({
  defaultMode: int32.optional(),
  items: atomic(DownwardAPIVolumeFile).optional(),
});
export type DownwardAPIVolumeSource = z.infer<typeof DownwardAPIVolumeSource>;

export const EmptyDirVolumeSource = z.object({
  medium: text.optional(),
  sizeLimit: quantity.optional(),
});
export type EmptyDirVolumeSource = z.infer<typeof EmptyDirVolumeSource>;

export const EphemeralVolumeSource = z.object({
  volumeClaimTemplate: PersistentVolumeClaimTemplate.optional(),
});
export type EphemeralVolumeSource = z.infer<typeof EphemeralVolumeSource>;

export const HostPathVolumeSource = z.object({
  path: text,
  type: oneOf(
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
  ).optional(),
});
export type HostPathVolumeSource = z.infer<typeof HostPathVolumeSource>;

export const ImageVolumeSource = z.object({
  pullPolicy: oneOf("Always", "IfNotPresent", "Never").optional(),
  reference: text.optional(),
});
export type ImageVolumeSource = z.infer<typeof ImageVolumeSource>;

export const PersistentVolumeClaimVolumeSource = z.object({
  claimName: text,
  readOnly: flag.optional(),
});
export type PersistentVolumeClaimVolumeSource = z.infer<typeof PersistentVolumeClaimVolumeSource>;

export const ProjectedVolumeSource = z.object({
  defaultMode: int32.optional(),
  sources: atomic(VolumeProjection).optional(),
});
export type ProjectedVolumeSource = z.infer<typeof ProjectedVolumeSource>;

export const SecretVolumeSource = z.object({
  defaultMode: int32.optional(),
  items: atomic(KeyToPath).optional(),
  optional: flag.optional(),
  secretName: text.optional(),
});
export type SecretVolumeSource = z.infer<typeof SecretVolumeSource>;

/** A named volume that containers mount; exactly one source is given. */
export const Volume = z.object({
  awsElasticBlockStore: AWSElasticBlockStoreVolumeSource.optional(),
  azureDisk: AzureDiskVolumeSource.optional(),
  azureFile: AzureFileVolumeSource.optional(),
  cephfs: CephFSVolumeSource.optional(),
  cinder: CinderVolumeSource.optional(),
  configMap: ConfigMapVolumeSource.optional(),
  csi: CSIVolumeSource.optional(),
  downwardAPI: DownwardAPIVolumeSource.optional(),
  emptyDir: EmptyDirVolumeSource.optional(),
  ephemeral: EphemeralVolumeSource.optional(),
  fc: FCVolumeSource.optional(),
  flexVolume: FlexVolumeSource.optional(),
  flocker: FlockerVolumeSource.optional(),
  gcePersistentDisk: GCEPersistentDiskVolumeSource.optional(),
  gitRepo: GitRepoVolumeSource.optional(),
  glusterfs: GlusterfsVolumeSource.optional(),
  hostPath: HostPathVolumeSource.optional(),
  image: ImageVolumeSource.optional(),
  iscsi: ISCSIVolumeSource.optional(),
  name: text.describe("Name of the volume, unique in the pod."),
  nfs: NFSVolumeSource.optional(),
  persistentVolumeClaim: PersistentVolumeClaimVolumeSource.optional(),
  photonPersistentDisk: PhotonPersistentDiskVolumeSource.optional(),
  portworxVolume: PortworxVolumeSource.optional(),
  projected: ProjectedVolumeSource.optional(),
  quobyte: QuobyteVolumeSource.optional(),
  rbd: RBDVolumeSource.optional(),
  scaleIO: ScaleIOVolumeSource.optional(),
  secret: SecretVolumeSource.optional(),
  storageos: StorageOSVolumeSource.optional(),
  vsphereVolume: VsphereVirtualDiskVolumeSource.optional(),
});
export type Volume = z.infer<typeof Volume>;
