import * as z from "zod";
import { atomic, flag, int64, oneOf, text } from "./words.ts";

export const AppArmorProfile = z.object({
  localhostProfile: text.optional(),
  type: oneOf("Localhost", "RuntimeDefault", "Unconfined"),
});
export type AppArmorProfile = z.infer<typeof AppArmorProfile>;

export const Capabilities = z.object({
  add: atomic(text).optional(),
  drop: atomic(text).optional(),
});
export type Capabilities = z.infer<typeof Capabilities>;

export const SELinuxOptions = z.object({
  level: text.optional(),
  role: text.optional(),
  type: text.optional(),
  user: text.optional(),
});
export type SELinuxOptions = z.infer<typeof SELinuxOptions>;

export const SeccompProfile = z.object({
  localhostProfile: text.optional(),
  type: oneOf("Localhost", "RuntimeDefault", "Unconfined"),
});
export type SeccompProfile = z.infer<typeof SeccompProfile>;

export const WindowsSecurityContextOptions = z.object({
  gmsaCredentialSpec: text.optional(),
  gmsaCredentialSpecName: text.optional(),
  hostProcess: flag.optional(),
  runAsUserName: text.optional(),
});
export type WindowsSecurityContextOptions = z.infer<typeof WindowsSecurityContextOptions>;

export const SecurityContext = z.object({
  allowPrivilegeEscalation: flag.optional(),
  appArmorProfile: AppArmorProfile.optional(),
  capabilities: Capabilities.optional(),
  privileged: flag.optional(),
  procMount: oneOf("Default", "Unmasked").optional(),
  readOnlyRootFilesystem: flag.optional(),
  runAsGroup: int64.optional(),
  runAsNonRoot: flag.optional(),
  runAsUser: int64.optional(),
  seLinuxOptions: SELinuxOptions.optional(),
  seccompProfile: SeccompProfile.optional(),
  windowsOptions: WindowsSecurityContextOptions.optional(),
});
export type SecurityContext = z.infer<typeof SecurityContext>;

export const Sysctl = z.object({
  name: text,
  value: text,
});
export type Sysctl = z.infer<typeof Sysctl>;

export const PodSecurityContext = z.object({
  appArmorProfile: AppArmorProfile.optional(),
  fsGroup: int64.optional(),
  fsGroupChangePolicy: oneOf("Always", "OnRootMismatch").optional(),
  runAsGroup: int64.optional(),
  runAsNonRoot: flag.optional(),
  runAsUser: int64.optional(),
  seLinuxChangePolicy: text.optional(),
  seLinuxOptions: SELinuxOptions.optional(),
  seccompProfile: SeccompProfile.optional(),
  supplementalGroups: atomic(int64).optional(),
  supplementalGroupsPolicy: oneOf("Merge", "Strict").optional(),
  sysctls: atomic(Sysctl).optional(),
  windowsOptions: WindowsSecurityContextOptions.optional(),
});
export type PodSecurityContext = z.infer<typeof PodSecurityContext>;
