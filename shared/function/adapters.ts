import type * as z from "zod";
import type { BoundPort } from "./port.ts";

/**
 * What a system's `adapters.ts` exports: the real thing behind each of its ports, made from its parsed configuration. Loaded only where
 * its functions run.
 */
export type SystemAdapters<C extends z.ZodType = z.ZodType> = (
  configuration: z.output<C>,
) => readonly BoundPort[];
