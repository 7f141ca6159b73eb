import * as z from "zod";
import { int32, microTime, text } from "./words.ts";

export const LeaseSpec = z.object({
  acquireTime: microTime.optional(),
  holderIdentity: text.optional(),
  leaseDurationSeconds: int32.optional(),
  leaseTransitions: int32.optional(),
  preferredHolder: text.optional(),
  renewTime: microTime.optional(),
  strategy: text.optional(),
});
export type LeaseSpec = z.infer<typeof LeaseSpec>;
