import * as z from "zod";
import { atomic, mapOf, oneOf, text } from "./words.ts";

export const LabelSelectorRequirement = z.object({
  key: text,
  operator: text,
  values: atomic(text).optional(),
});
export type LabelSelectorRequirement = z.infer<typeof LabelSelectorRequirement>;

/** Selects objects by their labels; all terms must hold. */
export const LabelSelector = z
  .object({
    matchExpressions: atomic(LabelSelectorRequirement)
      .describe("Terms with operators In, NotIn, Exists, DoesNotExist.")
      .optional(),
    matchLabels: mapOf(text).describe("Labels with exactly these values.").optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type LabelSelector = z.infer<typeof LabelSelector>;

export const NodeSelectorRequirement = z.object({
  key: text,
  operator: oneOf("DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn"),
  values: atomic(text).optional(),
});
export type NodeSelectorRequirement = z.infer<typeof NodeSelectorRequirement>;

export const NodeSelectorTerm = z
  .object({
    matchExpressions: atomic(NodeSelectorRequirement).optional(),
    matchFields: atomic(NodeSelectorRequirement).optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type NodeSelectorTerm = z.infer<typeof NodeSelectorTerm>;

export const NodeSelector = z
  .object({
    nodeSelectorTerms: atomic(NodeSelectorTerm),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type NodeSelector = z.infer<typeof NodeSelector>;
