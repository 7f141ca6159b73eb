import * as z from "zod";

/** The schema of the file of a token. */
export const tokenFile = z
  .string()
  .describe("The file of a token, read anew at each request: it may be renewed.")
  .optional();

/**
 * The schema of a repository in a configuration, with the credentials for its registry.
 *
 * @param what what the repository holds, and an example of its name
 */
export const repositorySettings = (what: string) =>
  z
    .strictObject({
      repository: z.string().describe(what),
      plainHttp: z
        .boolean()
        .describe(
          "Speaks to the registry in the clear: credentials too. Without it only to one on this machine.",
        )
        .optional(),
      username: z.string().optional(),
      passwordFile: z.string().describe("The file of the password, read anew at each login.").optional(),
      tokenFile,
    })
    .refine(
      ({ username, passwordFile }) => (username === undefined) === (passwordFile === undefined),
      "username and passwordFile go together",
    );
/** A repository as a configuration names it. */
export type RepositorySettings = z.output<ReturnType<typeof repositorySettings>>;
