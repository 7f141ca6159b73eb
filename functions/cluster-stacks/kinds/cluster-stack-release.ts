import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { int64, time } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { objectReference } from "./object-reference.ts";
import { resources } from "./resource.ts";
import { STACK_LABEL } from "./stack-label.ts";
import { FILTER_LABEL } from "./watch-filter.ts";

/** The types of a ClusterStackRelease's conditions. */
export type ReleaseConditionType =
  | "Ready"
  | "ClusterStackReleaseDownloaded"
  | "AssetsClientAPIAvailable"
  | "ProviderClusterStackReleaseReady"
  | "HelmChartApplied";

const status = z.object({
  ready: z.boolean().default(false).describe("Whether Clusters can use its ClusterClass."),
  kubernetesVersion: z.string().describe("Its version of Kubernetes: v1.30.2.").optional(),
  resources: resources
    .describe(
      "The objects of its ClusterClass: recorded before they are applied, and deleted by this record.",
    )
    .optional(),
  conditions: conditionsOf<ReleaseConditionType>().describe("Ready is the worst of the others.").optional(),
  digest: z.string().describe("Names the content of the assets that its objects stem from.").optional(),
  publishedAt: time.describe("When it was published, where its source tells.").optional(),
  attempts: int64.describe("How often in a row its assets could not be had.").optional(),
  nextTry: time.describe("Before then the source is not asked again for them.").optional(),
});
/** The state of a release in the management cluster. */
export type ReleaseStatus = z.output<typeof status>;

/** One release of a stack in the management cluster; its name is the release's tag. */
export class ClusterStackRelease extends defineKind({
  group: "clusterstack.x-k8s.io",
  version: "v1alpha1",
  kind: "ClusterStackRelease",
  scope: "Namespaced",
  shortNames: ["cskr"],
  description: "One release of a stack in the management cluster. Its name is the release's tag.",
  fields: {
    spec: z
      .object({
        providerRef: objectReference
          .describe("The provider's object for this release. Absent: there is no provider.")
          .optional(),
        source: z
          .string()
          .describe("The source of its assets, by its name in Reveille's configuration. Absent: default.")
          .optional(),
      })
      .optional(),
  },
  status,
  columns: [
    { name: "K8s Version", type: "string", jsonPath: ".status.kubernetesVersion" },
    { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "Reason", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].reason" },
    { name: "Message", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].message" },
  ],
  facts: (it) => ({
    ready: it.status.ready,
    source: it.spec.source,
    kubernetesVersion: it.status.kubernetesVersion,
    publishedAt: it.status.publishedAt,
    conditions: it.status.conditions,
    deleting: it.metadata.deletionTimestamp,
    filter: it.metadata.labels[FILTER_LABEL],
    stack: it.metadata.labels[STACK_LABEL],
  }),
  ready: (it) => it.status.ready.is(true),
  // It follows its stack's.
  engineOwned: (it) => ({ source: it.spec.source }),
}) {}
