import * as z from "zod";
import { atomic, bytes, flag, int32, int64, keyed, text, time } from "./words.ts";

export const CustomResourceColumnDefinition = z.object({
  description: text.optional(),
  format: text.optional(),
  jsonPath: text,
  name: text,
  priority: int32.optional(),
  type: text,
});
export type CustomResourceColumnDefinition = z.infer<typeof CustomResourceColumnDefinition>;

export const ServiceReference = z.object({
  name: text,
  namespace: text,
  path: text.optional(),
  port: int32.optional(),
});
export type ServiceReference = z.infer<typeof ServiceReference>;

export const WebhookClientConfig = z.object({
  caBundle: bytes.optional(),
  service: ServiceReference.optional(),
  url: text.optional(),
});
export type WebhookClientConfig = z.infer<typeof WebhookClientConfig>;

export const WebhookConversion = z.object({
  clientConfig: WebhookClientConfig.optional(),
  conversionReviewVersions: atomic(text),
});
export type WebhookConversion = z.infer<typeof WebhookConversion>;

export const CustomResourceConversion = z.object({
  strategy: text,
  webhook: WebhookConversion.optional(),
});
export type CustomResourceConversion = z.infer<typeof CustomResourceConversion>;

export const CustomResourceDefinitionCondition = z.object({
  lastTransitionTime: time.optional(),
  message: text.optional(),
  observedGeneration: int64.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type CustomResourceDefinitionCondition = z.infer<typeof CustomResourceDefinitionCondition>;

export const CustomResourceDefinitionNames = z.object({
  categories: atomic(text).optional(),
  kind: text,
  listKind: text.optional(),
  plural: text,
  shortNames: atomic(text).optional(),
  singular: text.optional(),
});
export type CustomResourceDefinitionNames = z.infer<typeof CustomResourceDefinitionNames>;

export const CustomResourceSubresourceScale = z.object({
  labelSelectorPath: text.optional(),
  specReplicasPath: text,
  statusReplicasPath: text,
});
export type CustomResourceSubresourceScale = z.infer<typeof CustomResourceSubresourceScale>;

export const CustomResourceSubresourceStatus = z.object({});
export type CustomResourceSubresourceStatus = z.infer<typeof CustomResourceSubresourceStatus>;

export const CustomResourceSubresources = z.object({
  scale: CustomResourceSubresourceScale.optional(),
  status: CustomResourceSubresourceStatus.optional(),
});
export type CustomResourceSubresources = z.infer<typeof CustomResourceSubresources>;

export const CustomResourceValidation = z.object({
  openAPIV3Schema: z.unknown().optional(),
});
export type CustomResourceValidation = z.infer<typeof CustomResourceValidation>;

export const SelectableField = z.object({
  jsonPath: text,
});
export type SelectableField = z.infer<typeof SelectableField>;

export const CustomResourceDefinitionVersion = z.object({
  additionalPrinterColumns: atomic(CustomResourceColumnDefinition).optional(),
  deprecated: flag.optional(),
  deprecationWarning: text.optional(),
  name: text,
  schema: CustomResourceValidation.optional(),
  selectableFields: atomic(SelectableField).optional(),
  served: flag,
  storage: flag,
  subresources: CustomResourceSubresources.optional(),
});
export type CustomResourceDefinitionVersion = z.infer<typeof CustomResourceDefinitionVersion>;

export const CustomResourceDefinitionSpec = z.object({
  conversion: CustomResourceConversion.optional(),
  group: text,
  names: CustomResourceDefinitionNames,
  preserveUnknownFields: flag.optional(),
  scope: text,
  versions: atomic(CustomResourceDefinitionVersion),
});
export type CustomResourceDefinitionSpec = z.infer<typeof CustomResourceDefinitionSpec>;

export const CustomResourceDefinitionStatus = z.object({
  acceptedNames: CustomResourceDefinitionNames.optional(),
  conditions: keyed(CustomResourceDefinitionCondition, "type").optional(),
  observedGeneration: int64.optional(),
  storedVersions: atomic(text).optional(),
});
export type CustomResourceDefinitionStatus = z.infer<typeof CustomResourceDefinitionStatus>;
