import * as z from "zod";
import { dependencyConfiguration } from "./decide/coordination/configuration.ts";
import { DEFAULT_PROFILE } from "./decide/payload/index.ts";
import { updatesConfiguration } from "./decide/release/configuration.ts";

/** The kinds that a payload may bring unless the configuration names others: none that hands out rights. */
const ORDINARY_KINDS = [
  "namespaces",
  "serviceaccounts",
  "configmaps",
  "services",
  "deployments.apps",
  "daemonsets.apps",
  "statefulsets.apps",
  "jobs.batch",
  "cronjobs.batch",
  "customresourcedefinitions.apiextensions.k8s.io",
  "clusteroperators.config.openshift.io",
] as const;

/** The configuration of the version operator. Every part has a default. */
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
    .describe("The release that an empty cluster is installed with.")
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
      "Which resources a payload may bring, as kubectl names them: deployments.apps, *.apps, or * for all. Roles follow from it: with roles or * the version operator may do everything.",
    )
    .default([...ORDINARY_KINDS]),
});
export type Configuration = z.output<typeof configuration>;
