import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { OPERATOR_ID, SECONDARY } from "./annotations.ts";
import { conditionsOf } from "./condition.ts";
import { through } from "./through.ts";

/** Points at the platform whose services every namespace uses that has not chosen its own. It deploys nothing. */
export class ClusterPlatform extends defineKind({
  group: "sonataflow.org",
  version: "v1alpha08",
  kind: "SonataFlowClusterPlatform",
  scope: "Cluster",
  description: "Shares the services of one SonataFlowPlatform with all namespaces.",
  fields: {
    spec: z
      .object({
        platformRef: z
          .object({
            name: z.string().describe("Name of the SonataFlowPlatform."),
            namespace: z.string().describe("Namespace of the SonataFlowPlatform."),
          })
          .describe("The platform whose services are shared."),
        capabilities: z
          .object({
            workflows: z
              .array(z.enum(["services"]))
              .describe("What workflows get. Empty: nothing.")
              .optional(),
          })
          .describe("What is shared. Absent: services.")
          .optional(),
      })
      .optional(),
  },
  status: z.object({
    version: z.string().describe("Version of the workflow language.").optional(),
    observedGeneration: z.int().describe("The generation that this status is about.").optional(),
    conditions: conditionsOf<"Succeed">().optional(),
  }),
  columns: [
    { name: "Platform_Name", type: "string", jsonPath: ".spec.platformRef.name" },
    { name: "Platform_NS", type: "string", jsonPath: ".spec.platformRef.namespace" },
    { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Succeed')].status" },
    { name: "Reason", type: "string", jsonPath: ".status.conditions[?(@.type=='Succeed')].reason" },
  ],
  facts: (it) => ({
    platformRef: it.spec.platformRef,
    capabilities: it.spec.capabilities,
    succeed: it.status.conditions.of("Succeed").status,
    secondary: through(it.metadata.annotations[SECONDARY]),
    operator: through(it.metadata.annotations[OPERATOR_ID]),
    deleting: it.metadata.deletionTimestamp,
  }),
  ready: (it) => it.status.conditions.of("Succeed").status.is("True"),
}) {}
