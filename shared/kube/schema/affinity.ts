import * as z from "zod";
import { LabelSelector, NodeSelector, NodeSelectorTerm } from "./selectors.ts";
import { atomic, int32, int64, oneOf, text } from "./words.ts";

export const PreferredSchedulingTerm = z.object({
  preference: NodeSelectorTerm,
  weight: int32,
});
export type PreferredSchedulingTerm = z.infer<typeof PreferredSchedulingTerm>;

export const NodeAffinity = z.object({
  preferredDuringSchedulingIgnoredDuringExecution: atomic(PreferredSchedulingTerm).optional(),
  requiredDuringSchedulingIgnoredDuringExecution: NodeSelector.optional(),
});
export type NodeAffinity = z.infer<typeof NodeAffinity>;

export const PodAffinityTerm = z.object({
  labelSelector: LabelSelector.optional(),
  matchLabelKeys: atomic(text).optional(),
  mismatchLabelKeys: atomic(text).optional(),
  namespaceSelector: LabelSelector.optional(),
  namespaces: atomic(text).optional(),
  topologyKey: text,
});
export type PodAffinityTerm = z.infer<typeof PodAffinityTerm>;

export const WeightedPodAffinityTerm = z.object({
  podAffinityTerm: PodAffinityTerm,
  weight: int32,
});
export type WeightedPodAffinityTerm = z.infer<typeof WeightedPodAffinityTerm>;

export const PodAffinity = z.object({
  preferredDuringSchedulingIgnoredDuringExecution: atomic(WeightedPodAffinityTerm).optional(),
  requiredDuringSchedulingIgnoredDuringExecution: atomic(PodAffinityTerm).optional(),
});
export type PodAffinity = z.infer<typeof PodAffinity>;

export const PodAntiAffinity = z.object({
  preferredDuringSchedulingIgnoredDuringExecution: atomic(WeightedPodAffinityTerm).optional(),
  requiredDuringSchedulingIgnoredDuringExecution: atomic(PodAffinityTerm).optional(),
});
export type PodAntiAffinity = z.infer<typeof PodAntiAffinity>;

export const Affinity = z.object({
  nodeAffinity: NodeAffinity.optional(),
  podAffinity: PodAffinity.optional(),
  podAntiAffinity: PodAntiAffinity.optional(),
});
export type Affinity = z.infer<typeof Affinity>;

export const Toleration = z.object({
  effect: oneOf("NoExecute", "NoSchedule", "PreferNoSchedule").optional(),
  key: text.optional(),
  operator: oneOf("Equal", "Exists", "Gt", "Lt").optional(),
  tolerationSeconds: int64.optional(),
  value: text.optional(),
});
export type Toleration = z.infer<typeof Toleration>;

export const TopologySpreadConstraint = z.object({
  labelSelector: LabelSelector.optional(),
  matchLabelKeys: atomic(text).optional(),
  maxSkew: int32,
  minDomains: int32.optional(),
  nodeAffinityPolicy: oneOf("Honor", "Ignore").optional(),
  nodeTaintsPolicy: oneOf("Honor", "Ignore").optional(),
  topologyKey: text,
  whenUnsatisfiable: oneOf("DoNotSchedule", "ScheduleAnyway"),
});
export type TopologySpreadConstraint = z.infer<typeof TopologySpreadConstraint>;
