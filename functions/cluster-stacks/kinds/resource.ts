import * as z from "zod";
import { word } from "../../../shared/kube/schema/words.ts";

const resource = z.object({
  group: z.string().describe("Its API group; empty for the core group.").optional(),
  version: z.string().describe("The version in which it was applied.").optional(),
  kind: z.string().describe("Its kind.").optional(),
  namespace: z.string().describe("Its namespace; absent for one without.").optional(),
  name: z.string().describe("Its name.").optional(),
  status: word<"synced" | "not-synced">()
    .describe("Whether it was applied: synced or not-synced.")
    .optional(),
  error: z.string().describe("Why it could not be applied.").optional(),
  recreate: z
    .boolean()
    .describe("True: it cannot be changed and asks to be made anew; it is deleted before it is applied.")
    .optional(),
});
const addonResource = resource.extend({
  stage: z.string().describe("The stage that brings it.").optional(),
});
/** An object that a release or an addon brings, and whether it was applied. */
export type Resource = z.output<typeof addonResource>;

/** The schema of all objects that were applied, or are going to be. They are what a deletion goes by. */
export const resources = z.array(resource);
/** The same for addons. */
export const addonResources = z.array(addonResource);
