import * as z from "zod";

/** The schema of the place where the components of modules lie. */
export const registrySettings = z
  .strictObject({
    folder: z.string().describe("The folder of an OCI layout that holds them.").default("components"),
  })
  .describe("Where the components of modules lie.")
  .prefault({});
/** The place where the components of modules lie. */
export type RegistrySettings = z.output<typeof registrySettings>;
