import * as z from "zod";
import { atomic, mapOf, oneOf, quantity, text } from "../../../../shared/kube/schema/words.ts";

export const ScopedResourceSelectorRequirement = z.object({
  operator: oneOf("DoesNotExist", "Exists", "In", "NotIn"),
  scopeName: oneOf(
    "BestEffort",
    "CrossNamespacePodAffinity",
    "NotBestEffort",
    "NotTerminating",
    "PriorityClass",
    "Terminating",
    "VolumeAttributesClass",
  ),
  values: atomic(text).optional(),
});
export type ScopedResourceSelectorRequirement = z.infer<typeof ScopedResourceSelectorRequirement>;

export const ScopeSelector = z
  .object({
    matchExpressions: atomic(ScopedResourceSelectorRequirement).optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type ScopeSelector = z.infer<typeof ScopeSelector>;

export const ResourceQuotaSpec = z.object({
  hard: mapOf(quantity).optional(),
  scopeSelector: ScopeSelector.optional(),
  scopes: atomic(
    oneOf(
      "BestEffort",
      "CrossNamespacePodAffinity",
      "NotBestEffort",
      "NotTerminating",
      "PriorityClass",
      "Terminating",
      "VolumeAttributesClass",
    ),
  ).optional(),
});
export type ResourceQuotaSpec = z.infer<typeof ResourceQuotaSpec>;

export const ResourceQuotaStatus = z.object({
  hard: mapOf(quantity).optional(),
  used: mapOf(quantity).optional(),
});
export type ResourceQuotaStatus = z.infer<typeof ResourceQuotaStatus>;

export const LimitRangeItem = z.object({
  default: mapOf(quantity).optional(),
  defaultRequest: mapOf(quantity).optional(),
  max: mapOf(quantity).optional(),
  maxLimitRequestRatio: mapOf(quantity).optional(),
  min: mapOf(quantity).optional(),
  type: text,
});
export type LimitRangeItem = z.infer<typeof LimitRangeItem>;

export const LimitRangeSpec = z.object({
  limits: atomic(LimitRangeItem),
});
export type LimitRangeSpec = z.infer<typeof LimitRangeSpec>;
