import * as z from "zod";
import { KeyToPath, ObjectFieldSelector, ResourceFieldSelector } from "./references.ts";
import { LabelSelector } from "./selectors.ts";
import { atomic, flag, int32, int64, mapOf, text } from "./words.ts";

export const DownwardAPIVolumeFile = z.object({
  fieldRef: ObjectFieldSelector.optional(),
  mode: int32.optional(),
  path: text,
  resourceFieldRef: ResourceFieldSelector.optional(),
});
export type DownwardAPIVolumeFile = z.infer<typeof DownwardAPIVolumeFile>;

export const ClusterTrustBundleProjection = z.object({
  labelSelector: LabelSelector.optional(),
  name: text.optional(),
  optional: flag.optional(),
  path: text,
  signerName: text.optional(),
});
export type ClusterTrustBundleProjection = z.infer<typeof ClusterTrustBundleProjection>;

export const ConfigMapProjection = z.object({
  items: atomic(KeyToPath).optional(),
  name: text.default(""),
  optional: flag.optional(),
});
export type ConfigMapProjection = z.infer<typeof ConfigMapProjection>;

export const DownwardAPIProjection = z.object({
  items: atomic(DownwardAPIVolumeFile).optional(),
});
export type DownwardAPIProjection = z.infer<typeof DownwardAPIProjection>;

export const PodCertificateProjection = z.object({
  certificateChainPath: text.optional(),
  credentialBundlePath: text.optional(),
  keyPath: text.optional(),
  keyType: text,
  maxExpirationSeconds: int32.optional(),
  signerName: text,
  userAnnotations: mapOf(text).optional(),
});
export type PodCertificateProjection = z.infer<typeof PodCertificateProjection>;

export const SecretProjection = z.object({
  items: atomic(KeyToPath).optional(),
  name: text.default(""),
  optional: flag.optional(),
});
export type SecretProjection = z.infer<typeof SecretProjection>;

export const ServiceAccountTokenProjection = z.object({
  audience: text.optional(),
  expirationSeconds: int64.optional(),
  path: text,
});
export type ServiceAccountTokenProjection = z.infer<typeof ServiceAccountTokenProjection>;

export const VolumeProjection = z.object({
  clusterTrustBundle: ClusterTrustBundleProjection.optional(),
  configMap: ConfigMapProjection.optional(),
  downwardAPI: DownwardAPIProjection.optional(),
  podCertificate: PodCertificateProjection.optional(),
  secret: SecretProjection.optional(),
  serviceAccountToken: ServiceAccountTokenProjection.optional(),
});
export type VolumeProjection = z.infer<typeof VolumeProjection>;
