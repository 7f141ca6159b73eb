import * as z from "zod";
import { atomic, text } from "../../../../shared/kube/schema/words.ts";

export const TopologySelectorLabelRequirement = z.object({
  key: text,
  values: atomic(text),
});
export type TopologySelectorLabelRequirement = z.infer<typeof TopologySelectorLabelRequirement>;

export const TopologySelectorTerm = z
  .object({
    matchLabelExpressions: atomic(TopologySelectorLabelRequirement).optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type TopologySelectorTerm = z.infer<typeof TopologySelectorTerm>;
