import * as z from "zod";
import { int64, time } from "../../../shared/kube/schema/words.ts";

/** The states of a Kyma, its modules, Manifests and Watchers, in upstream's words. */
export const state = z.enum(["Processing", "Deleting", "Ready", "Error", "", "Warning", "Unmanaged"]);
export type State = z.output<typeof state>;

/** The schema of what was done last. */
export const lastOperation = z
  .object({
    lastUpdateTime: time.describe("When that was.").optional(),
    operation: z.string().describe("What was done, for people."),
  })
  .describe("What was done last.");

/** The schema of an object that a status points at. */
export const trackedObject = z.object({
  apiVersion: z.string().describe("Its group and version.").optional(),
  kind: z.string().describe("Its kind.").optional(),
  metadata: z
    .object({
      generation: int64.describe("The generation that was looked at.").optional(),
      name: z.string().describe("Its name.").optional(),
      namespace: z.string().describe("Its namespace; empty for one without.").optional(),
    })
    .optional(),
});
/** An object that a status points at. */
export type TrackedObject = z.output<typeof trackedObject>;
