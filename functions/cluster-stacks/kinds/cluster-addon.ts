import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { conditionsOf } from "./condition.ts";
import { objectReference } from "./object-reference.ts";
import { resources } from "./resource.ts";

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

const stage = z.object({
  name: z.string().describe("The chart of the stage.").optional(),
  action: z.string().describe("apply or delete.").optional(),
  phase: z.string().describe("How far it is.").optional(),
});

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
  status: z.object({
    ready: z.boolean().default(false).describe("Whether the addons of the Cluster's class are installed."),
    resources: resources.describe("The objects of the addons.").optional(),
    stages: z.array(stage).describe("The stages of the moment that is being served, in order.").optional(),
    conditions: conditionsOf<AddonConditionType>().describe("Ready is the worst of the others.").optional(),
  }),
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
  }),
  ready: (it) => it.status.ready.is(true),
  engineOwned: (it) => ({
    clusterStack: it.spec.clusterStack,
    version: it.spec.version,
    hook: it.spec.hook,
  }),
}) {}
