import * as z from "zod";
import { isRepository } from "../../../../shared/oci/names.ts";
import { repositorySettings } from "../../../../shared/oci/settings.ts";

/** The schema of the place where the components of modules lie. */
export const registrySettings = z
  .strictObject({
    folder: z
      .string()
      .describe("The folder of an OCI layout that holds them, where no registry is named.")
      .default("components"),
    oci: repositorySettings(
      "The repository below which component-descriptors lie: registry.example.org/mods.",
    )
      // Each component is a repository below it: a registry without a path will do.
      .refine(({ repository }) => isRepository(`${repository}/component-descriptors`), {
        path: ["repository"],
        message: "it names no registry: write registry.example.org/mods, with nothing before or behind it",
      })
      .describe("The registry that holds them.")
      .optional(),
  })
  .describe("Where the components of modules lie.")
  .prefault({});
/** The place where the components of modules lie. */
export type RegistrySettings = z.output<typeof registrySettings>;
