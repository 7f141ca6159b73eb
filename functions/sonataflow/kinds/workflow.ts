import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { LocalObjectReference } from "../../../shared/kube/schema/references.ts";
import { time } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { destination, serviceRefs, source, triggers } from "./destination.ts";
import { flow } from "./flow.ts";
import { persistence } from "./persistence.ts";
import { flowPodTemplate } from "./pod-template.ts";

/** A workflow, and how it runs. */
export class Workflow extends defineKind({
  group: "sonataflow.org",
  version: "v1alpha08",
  kind: "SonataFlow",
  scope: "Namespaced",
  shortNames: ["sf", "workflow", "workflows"],
  description: "A workflow of the CNCF Serverless Workflow specification, and how it runs.",
  fields: {
    spec: z
      .object({
        flow: flow.describe("The workflow, as version 0.8 of the specification defines it."),
        persistence: persistence
          .describe("Where it keeps its state. Absent: the platform's database.")
          .optional(),
        podTemplate: flowPodTemplate.describe("Its pods.").optional(),
        resources: z
          .object({
            configMaps: z
              .array(
                z.object({
                  configMap: LocalObjectReference.describe("The ConfigMap."),
                  workflowPath: z.string().describe("Where the workflow finds its keys.").optional(),
                }),
              )
              .optional(),
          })
          .describe("Further files. Accepted and kept; builds use them.")
          .optional(),
        sink: destination.optional(),
        sources: z.array(source).describe("Knative sources. Accepted and kept.").optional(),
      })
      .optional(),
  },
  status: z.object({
    address: z
      .object({
        CACerts: z.string().optional(),
        audience: z.string().optional(),
        name: z.string().optional(),
        url: z.string().optional(),
      })
      .describe("Where it is called within the cluster.")
      .optional(),
    conditions: conditionsOf<"Built" | "Running">().optional(),
    endpoint: z.string().describe("Where it is called.").optional(),
    flowCRC: z.int32().optional(),
    lastTimeRecoverAttempt: time.optional(),
    observedGeneration: z.int().describe("The generation that this status is about.").optional(),
    platform: z
      .object({ name: z.string(), namespace: z.string() })
      .describe("The platform of its namespace.")
      .optional(),
    recoverFailureAttempts: z.int().optional(),
    services: serviceRefs.describe("The services that it uses.").optional(),
    triggers: triggers.optional(),
  }),
  columns: [
    { name: "Profile", type: "string", jsonPath: ".metadata.annotations.sonataflow\\.org\\/profile" },
    { name: "Version", type: "string", jsonPath: ".metadata.annotations.sonataflow\\.org\\/version" },
    { name: "URL", type: "string", jsonPath: ".status.endpoint" },
    { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Running')].status" },
    { name: "Reason", type: "string", jsonPath: ".status.conditions[?(@.type=='Running')].reason" },
  ],
  ready: (it) => it.status.conditions.of("Running").status.is("True"),
}) {}
