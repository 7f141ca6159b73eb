import * as z from "zod";
import { flag, int32, quantity, text } from "./words.ts";

export const LocalObjectReference = z
  .object({
    name: text.default(""),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type LocalObjectReference = z.infer<typeof LocalObjectReference>;

export const TypedLocalObjectReference = z
  .object({
    apiGroup: text.optional(),
    kind: text,
    name: text,
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type TypedLocalObjectReference = z.infer<typeof TypedLocalObjectReference>;

export const TypedObjectReference = z.object({
  apiGroup: text.optional(),
  kind: text,
  name: text,
  namespace: text.optional(),
});
export type TypedObjectReference = z.infer<typeof TypedObjectReference>;

export const ObjectFieldSelector = z
  .object({
    apiVersion: text.optional(),
    fieldPath: text,
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type ObjectFieldSelector = z.infer<typeof ObjectFieldSelector>;

export const ResourceFieldSelector = z
  .object({
    containerName: text.optional(),
    divisor: quantity.optional(),
    resource: text,
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type ResourceFieldSelector = z.infer<typeof ResourceFieldSelector>;

export const ConfigMapKeySelector = z
  .object({
    key: text,
    name: text.default(""),
    optional: flag.optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type ConfigMapKeySelector = z.infer<typeof ConfigMapKeySelector>;

export const SecretKeySelector = z
  .object({
    key: text,
    name: text.default(""),
    optional: flag.optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type SecretKeySelector = z.infer<typeof SecretKeySelector>;

export const FileKeySelector = z
  .object({
    key: text,
    optional: flag.default(false),
    path: text,
    volumeName: text,
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type FileKeySelector = z.infer<typeof FileKeySelector>;

export const KeyToPath = z.object({
  key: text,
  mode: int32.optional(),
  path: text,
});
export type KeyToPath = z.infer<typeof KeyToPath>;
