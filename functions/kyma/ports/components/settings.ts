import * as z from "zod";

/** The schema of the place where the components of modules lie. */
export const registrySettings = z
  .strictObject({
    folder: z
      .string()
      .describe("The folder of an OCI layout that holds them, where no registry is named.")
      .default("components"),
    oci: z
      .strictObject({
        repository: z
          .string()
          .describe("The repository below which component-descriptors lie: registry.example.org/mods."),
        plainHttp: z
          .boolean()
          .describe(
            "Speaks to the registry in the clear: credentials too. Without it only to one on this machine.",
          )
          .optional(),
        username: z.string().optional(),
        passwordFile: z.string().describe("The file of the password, read anew at each login.").optional(),
        tokenFile: z
          .string()
          .describe("The file of a token, read anew at each request: it may be renewed.")
          .optional(),
      })
      .refine(
        ({ username, passwordFile }) => (username === undefined) === (passwordFile === undefined),
        "username and passwordFile go together",
      )
      .describe("The registry that holds them.")
      .optional(),
  })
  .describe("Where the components of modules lie.")
  .prefault({});
/** The place where the components of modules lie. */
export type RegistrySettings = z.output<typeof registrySettings>;
