import * as z from "zod";
import { dependencyConfiguration } from "./coordination/configuration.ts";
import { DEFAULT_PROFILE } from "./payload/index.ts";
import { updatesConfiguration } from "./target/configuration.ts";

/** What may be configured of the version operator. Every part has a default. */
export const configuration = updatesConfiguration.extend({
  ...dependencyConfiguration.shape,
  release: z
    .object({
      image: z
        .string()
        .describe("Pull spec of the payload, or whatever names it where payloads lie.")
        .default(""),
      version: z.string().describe("Its version, where it is known.").default(""),
    })
    .describe("The release that a cluster is installed with while its ClusterVersion asks for none.")
    .prefault({}),
  payloads: z
    .string()
    .describe("Folder that holds the payloads: a directory, an archive or an OCI layout for each image.")
    .default("payloads"),
  profile: z
    .string()
    .describe("The cluster's profile: which manifests belong to it.")
    .default(DEFAULT_PROFILE),
  excludeIdentifier: z
    .string()
    .describe("Manifests annotated exclude.release.openshift.io/<this> are left out. Empty: none are.")
    .default(""),
  featureSet: z
    .string()
    .describe("The cluster's feature set where it has no FeatureGate object. Empty: the default one.")
    .default(""),
  featureGates: z
    .array(z.string())
    .describe("Feature gates that are on where the cluster has no FeatureGate object.")
    .default([]),
  blockOnDegraded: z
    .boolean()
    .describe("Whether a degraded operator holds up what comes after it. False: it is only reported.")
    .default(true),
  kinds: z
    .array(z.string())
    .describe(
      "Which resources a payload may bring, as kubectl names them: deployments.apps, *.apps, or * for all.",
    )
    .default(["*"]),
});
export type Configuration = z.output<typeof configuration>;
