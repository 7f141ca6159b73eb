import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { int64, time } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";

const operatorName = z.string().min(1).max(253);

/**
 * A dependency: one operator waits until another has settled at a version. Its consumer makes it, and is told by
 * `dependency.ready` and `dependency.lost`, or by `kubectl wait --for=condition=Ready`.
 */
export class ClusterOperatorDependency extends defineKind({
  group: "reveille.dev",
  version: "v1",
  kind: "ClusterOperatorDependency",
  scope: "Cluster",
  plural: "clusteroperatordependencies",
  shortNames: ["codep"],
  description: "That an operator waits until another one has settled at a version.",
  fields: {
    spec: z.object({
      consumer: operatorName.describe("The operator that waits: the name of its ClusterOperator."),
      operator: operatorName.describe("The operator that it waits for."),
      operand: z
        .string()
        .min(1)
        .max(253)
        .default("operator")
        .describe("Whose version counts: `operator` for the release, or an operand."),
      version: z.string().min(1).max(253).describe("The version that is waited for."),
      comparison: z
        .enum(["Exact", "AtLeast"])
        .default("Exact")
        .describe("Exact: byte for byte. AtLeast: this semantic version or a later one."),
    }),
  },
  status: z.object({
    observedGeneration: int64.describe("The generation of the spec that this is about.").optional(),
    operatorUID: z.string().describe("Of the ClusterOperator that Ready speaks of.").optional(),
    operatorResourceVersion: z
      .string()
      .describe("The version of that ClusterOperator by which Ready became what it is.")
      .optional(),
    doubtfulSince: time
      .describe("Since when it is no longer met. Ready turns False when that has lasted.")
      .optional(),
    conditions: conditionsOf<"Accepted" | "Ready">()
      .describe("Accepted: it can be met at all. Ready: it is met.")
      .optional(),
  }),
  columns: [
    { name: "Consumer", type: "string", jsonPath: ".spec.consumer" },
    { name: "Operator", type: "string", jsonPath: ".spec.operator" },
    { name: "Operand", type: "string", jsonPath: ".spec.operand" },
    { name: "Version", type: "string", jsonPath: ".spec.version" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Since", type: "date", jsonPath: '.status.conditions[?(@.type=="Ready")].lastTransitionTime' },
    {
      name: "Message",
      type: "string",
      jsonPath: '.status.conditions[?(@.type=="Ready")].message',
      priority: 1,
    },
  ],
  facts: (it) => ({
    consumer: it.spec.consumer,
    operator: it.spec.operator,
    operand: it.spec.operand,
    version: it.spec.version,
    operatorUID: it.status.operatorUID,
    accepted: it.status.conditions.of("Accepted").status,
    ready: it.status.conditions.of("Ready").status,
  }),
  ready: (it) => it.status.conditions.of("Ready").status.is("True"),
}) {}
