import type * as z from "zod";
import type { BoundPort } from "./port.ts";

/**
 * The type of `adapters`, which `adapters.ts` of a system exports: the adapter of each of its ports, made from its parsed
 * configuration. Loaded only where its functions run.
 */
export type SystemAdapters<C extends z.ZodType = z.ZodType> = (
  configuration: z.output<C>,
) => readonly BoundPort[];
