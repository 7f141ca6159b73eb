import * as z from "zod";
import { LabelSelector } from "./selectors.ts";
import { atomic, text } from "./words.ts";

export const PolicyRule = z.object({
  apiGroups: atomic(text).optional(),
  nonResourceURLs: atomic(text).optional(),
  resourceNames: atomic(text).optional(),
  resources: atomic(text).optional(),
  verbs: atomic(text),
});
export type PolicyRule = z.infer<typeof PolicyRule>;

export const AggregationRule = z.object({
  clusterRoleSelectors: atomic(LabelSelector).optional(),
});
export type AggregationRule = z.infer<typeof AggregationRule>;

export const RoleRef = z
  .object({
    apiGroup: text.optional(),
    kind: text,
    name: text,
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type RoleRef = z.infer<typeof RoleRef>;

export const Subject = z
  .object({
    apiGroup: text.optional(),
    kind: text,
    name: text,
    namespace: text.optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type Subject = z.infer<typeof Subject>;
