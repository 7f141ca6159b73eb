import * as z from "zod";
import { keyed, mapOf, quantity, text } from "./words.ts";

export const ResourceClaim = z.object({
  name: text,
  request: text.optional(),
});
export type ResourceClaim = z.infer<typeof ResourceClaim>;

export const ResourceRequirements = z.object({
  claims: keyed(ResourceClaim, "name").optional(),
  limits: mapOf(quantity).describe("The most that may be used.").optional(),
  requests: mapOf(quantity).describe("The least that is needed.").optional(),
});
export type ResourceRequirements = z.infer<typeof ResourceRequirements>;

export const VolumeResourceRequirements = z.object({
  limits: mapOf(quantity).optional(),
  requests: mapOf(quantity).optional(),
});
export type VolumeResourceRequirements = z.infer<typeof VolumeResourceRequirements>;
