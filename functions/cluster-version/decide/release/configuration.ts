import * as z from "zod";

/** The configuration of looking for updates. */
export const updatesConfiguration = z.object({
  updateService: z
    .string()
    .describe("URL of the update service where spec.upstream names none. Empty: no updates are looked for.")
    .default(""),
  architecture: z
    .string()
    .describe(
      "Of the cluster's machines, as Go names it. Clusters of several architectures tell so themselves.",
    )
    .default("amd64"),
  prometheus: z
    .object({
      url: z
        .string()
        .describe("Where Prometheus answers queries. Empty: risks that ask one stay unknown.")
        .default(""),
      tokenFile: z.string().describe("File with the bearer token for it. Empty: none is sent.").default(""),
    })
    .describe("Who is asked whether a risk of an update applies to this cluster.")
    .prefault({}),
});
