import * as z from "zod";
import {
  ConfigMapKeySelector,
  FileKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from "./references.ts";
import { flag, text } from "./words.ts";

export const EnvVarSource = z.object({
  configMapKeyRef: ConfigMapKeySelector.optional(),
  fieldRef: ObjectFieldSelector.optional(),
  fileKeyRef: FileKeySelector.optional(),
  resourceFieldRef: ResourceFieldSelector.optional(),
  secretKeyRef: SecretKeySelector.optional(),
});
export type EnvVarSource = z.infer<typeof EnvVarSource>;

/** An environment variable with a value, or with a source of one. */
export const EnvVar = z.object({
  name: text.describe("Name of the variable."),
  value: text.describe("Its value; $(NAME) is replaced.").optional(),
  valueFrom: EnvVarSource.describe("Where its value comes from.").optional(),
});
export type EnvVar = z.infer<typeof EnvVar>;

export const ConfigMapEnvSource = z.object({
  name: text.default(""),
  optional: flag.optional(),
});
export type ConfigMapEnvSource = z.infer<typeof ConfigMapEnvSource>;

export const SecretEnvSource = z.object({
  name: text.default(""),
  optional: flag.optional(),
});
export type SecretEnvSource = z.infer<typeof SecretEnvSource>;

export const EnvFromSource = z.object({
  configMapRef: ConfigMapEnvSource.optional(),
  prefix: text.optional(),
  secretRef: SecretEnvSource.optional(),
});
export type EnvFromSource = z.infer<typeof EnvFromSource>;
