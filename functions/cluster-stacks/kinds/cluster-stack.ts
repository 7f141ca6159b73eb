import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { time } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { objectReference } from "./object-reference.ts";

/** The types of a ClusterStack's conditions. */
export type ClusterStackConditionType =
  | "Ready"
  /** The source of releases can be asked. */
  | "AssetsClientAPIAvailable"
  /** The list of releases is known. */
  | "ReleasesSynced"
  | "ProviderClusterStackReleasesSynced"
  | "ClusterStackReleasesSynced"
  /** A release is ready. */
  | "ClusterStackReleaseAvailable";

const immutable = {
  "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "field is immutable" }],
};

/** The schema of what is wanted of a stack. */
export const clusterStackSpec = z.object({
  provider: z
    .string()
    .min(1)
    .meta(immutable)
    .describe("Its provider, the first part of its releases' names."),
  name: z.string().min(1).meta(immutable).describe("Its name, the second part of its releases' names."),
  kubernetesVersion: z
    .string()
    .meta({ pattern: "^\\d\\.\\d+$", ...immutable })
    .describe("The minor version of Kubernetes: 1.30."),
  channel: z
    .enum(["stable", "custom"])
    .default("stable")
    .meta(immutable)
    .describe("stable: versions are v1, v2, …; custom: versions are labelled, v0-sha.a1b2c3d."),
  versions: z
    .array(z.string())
    .describe("Versions that are to be there whatever the source lists, v1 or v1-label.patch.")
    .optional(),
  autoSubscribe: z
    .boolean()
    .default(true)
    .describe("Whether the newest version that the source lists is to be there."),
  noProvider: z
    .boolean()
    .default(false)
    .describe("True: no other program makes node images, and nobody waits for one."),
  providerRef: objectReference.describe("The template of the provider's release objects.").optional(),
  source: z
    .string()
    .default("default")
    .describe("The source of its releases, by its name in Reveille's configuration."),
});
/** The wishes of whoever offers a stack. */
export type ClusterStackSpec = z.output<typeof clusterStackSpec>;

const summary = z.object({
  name: z.string().describe("The version, with dashes."),
  ready: z.boolean().describe("Whether it can be used."),
  phase: z.string().describe("How far it is."),
  message: z.string().describe("Why it is not ready.").optional(),
});
/** The state of one version of a stack. */
export type ReleaseSummary = z.output<typeof summary>;

const listing = z.object({
  version: z.string().describe("The version of the source's list that this was read from.").optional(),
  latest: z.string().describe("The newest release that fits the stack.").optional(),
  publishedAt: time.describe("When that was published, where the source tells.").optional(),
  reason: z.string().describe("Why the last list could not be had or used, in one word.").optional(),
  message: z.string().describe("Why, for people.").optional(),
  notBefore: time.describe("Before then the source is not asked again.").optional(),
});
/** The source's list as far as it concerns a stack. What was known once is kept while the source fails. */
export type StackListing = z.output<typeof listing>;

/** A stack: tested releases of a ClusterClass with its images and addons, for one provider and one minor version of Kubernetes. */
export class ClusterStack extends defineKind({
  group: "clusterstack.x-k8s.io",
  version: "v1alpha1",
  kind: "ClusterStack",
  scope: "Namespaced",
  shortNames: ["csk"],
  description:
    "Tested releases of a ClusterClass with its images and addons, for one provider and one minor version of Kubernetes.",
  fields: { spec: clusterStackSpec.optional() },
  status: z.object({
    latestRelease: z
      .string()
      .describe("The newest release that is ready, and its version of Kubernetes.")
      .optional(),
    usableVersions: z.string().describe("The versions that are ready.").optional(),
    summary: z
      .array(summary)
      .describe("Each version that is there or to be there, and why it is not ready.")
      .optional(),
    listing: listing.describe("What the source offers.").optional(),
    conditions: conditionsOf<ClusterStackConditionType>()
      .describe("Ready is the worst of the others.")
      .optional(),
  }),
  columns: [
    { name: "Provider", type: "string", jsonPath: ".spec.provider" },
    { name: "ClusterStack", type: "string", jsonPath: ".spec.name" },
    { name: "K8s", type: "string", jsonPath: ".spec.kubernetesVersion" },
    { name: "Channel", type: "string", jsonPath: ".spec.channel" },
    { name: "Autosubscribe", type: "string", jsonPath: ".spec.autoSubscribe" },
    { name: "Usable", type: "string", jsonPath: ".status.usableVersions" },
    { name: "Latest", type: "string", jsonPath: ".status.latestRelease" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "Reason", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].reason" },
    { name: "Message", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].message" },
  ],
  facts: (it) => ({
    generation: it.metadata.generation,
    source: it.spec.source,
    listing: it.status.listing,
  }),
  ready: (it) => it.status.conditions.of("Ready").status.is("True"),
}) {}
