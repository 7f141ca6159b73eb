import * as z from "zod";

/** The configuration of how the dependencies of operators are judged. */
export const dependencyConfiguration = z.object({
  dependencies: z
    .object({
      settle: z
        .string()
        .regex(/^\d+(\.\d+)?(ms|s|m|h)$/)
        .default("5s")
        .describe("How long a dependency must not have been met before that is told."),
    })
    .prefault({})
    .describe("How operators are told that those they wait for have arrived."),
});
