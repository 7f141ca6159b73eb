import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { time, word } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { objectReference } from "./object-reference.ts";
import { addonResources } from "./resource.ts";
import { FILTER_LABEL } from "./watch-filter.ts";

/** The name of a Cluster's ClusterAddon. */
export const addonName = (cluster: string): string => `cluster-addon-${cluster}`;

/** The types of a ClusterAddon's conditions. */
export type AddonConditionType =
  | "Ready"
  | "ClusterReady"
  | "ClusterStackReleaseDownloaded"
  | "AssetsClientAPIAvailable"
  | "ClusterAddonConfigValidated"
  | "HelmChartFound"
  | "HelmChartTemplated"
  | "EvaluatedCEL"
  | "HelmChartApplied"
  | "HelmChartDeleted"
  | "HookServerReady";

/** The phase of a stage, in upstream's words. */
export type StagePhase =
  | "Pending"
  | "waitingForPreCondition"
  | "applyingOrDeleting"
  | "waitingForPostCondition"
  | "done";

const stage = z.object({
  name: z.string().describe("The chart of the stage.").optional(),
  action: word<"apply" | "delete">().describe("Whether its objects are applied or deleted.").optional(),
  phase: word<StagePhase>().describe("How far it is.").optional(),
  startedAt: time.describe("When its phase began: its deadlines count from then.").optional(),
  rendered: z
    .string()
    .describe("Names the objects that its chart was rendered to, which Secrets of this ClusterAddon keep.")
    .optional(),
  values: z.string().describe("Names the values that they were rendered with.").optional(),
  message: z.string().describe("What it waits for, or what went wrong.").optional(),
});
/** The state of one stage. */
export type StageStatus = z.output<typeof stage>;

const target = z.object({
  clusterStack: z.string().describe("The class whose addons are being installed, or are."),
  namespace: z.string().describe("The namespace of its release."),
  digest: z.string().describe("Names the content of the release."),
  version: z.string().describe("The version of its addons, with dashes."),
  kubernetesVersion: z.string().describe("The version of Kubernetes that charts are rendered for."),
  hook: z.string().describe("The moment of Cluster API whose stages these are; absent: none.").optional(),
  from: z
    .object({
      clusterStack: z.string().describe("The class whose addons were installed before."),
      kubernetesVersion: z.string().describe("Its version of Kubernetes, where it is known.").optional(),
    })
    .describe("What was completed last before this work began.")
    .optional(),
});
/** The work that a ClusterAddon is about: a new one begins anew from what was completed last. */
export type AddonTarget = z.output<typeof target>;

const status = z.object({
  ready: z.boolean().default(false).describe("Whether the addons of the Cluster's class are installed."),
  resources: addonResources
    .describe("The objects of the addons: recorded before they are applied, and deleted by this record.")
    .optional(),
  stages: z.array(stage).describe("The stages of the target, in order.").optional(),
  target: target.describe("What is being installed, or is.").optional(),
  conditions: conditionsOf<AddonConditionType>().describe("Ready is the worst of the others.").optional(),
});
/** The state of the addons of one workload cluster. */
export type AddonStatus = z.output<typeof status>;

/** The addons of one workload cluster. */
export class ClusterAddon extends defineKind({
  group: "clusterstack.x-k8s.io",
  version: "v1alpha1",
  kind: "ClusterAddon",
  scope: "Namespaced",
  shortNames: ["caddon"],
  description: "The addons of one workload cluster.",
  fields: {
    spec: z
      .object({
        clusterRef: objectReference.describe("The Cluster that they are installed in."),
        clusterStack: z.string().describe("The class whose addons are installed.").optional(),
        version: z.string().describe("The version of these addons.").optional(),
        hook: z.string().describe("The moment of Cluster API that is being served; empty: none.").optional(),
      })
      .optional(),
  },
  status,
  columns: [
    { name: "Cluster", type: "string", jsonPath: '.metadata.ownerReferences[?(@.kind=="Cluster")].name' },
    { name: "Hook", type: "string", jsonPath: ".spec.hook", description: "The moment that is being served" },
    { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "Reason", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].reason" },
    { name: "Message", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].message" },
  ],
  facts: (it) => ({
    cluster: it.spec.clusterRef.name,
    clusterStack: it.spec.clusterStack,
    ready: it.status.ready,
    filter: it.metadata.labels[FILTER_LABEL],
  }),
  ready: (it) => it.status.ready.is(true),
  engineOwned: (it) => ({
    clusterStack: it.spec.clusterStack,
    version: it.spec.version,
    hook: it.spec.hook,
  }),
}) {}
