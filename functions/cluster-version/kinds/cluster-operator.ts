import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { conditionsOf } from "./condition.ts";

/** The conditions that every operator reports, and the two that it may. Its own further types are kept. */
export type ClusterOperatorConditionType =
  | "Available"
  | "Progressing"
  | "Degraded"
  | "Upgradeable"
  | "EvaluationConditionsDetected";

const version = z.object({
  name: z.string().describe("`operator` for the release; else the operand."),
  version: z.string().describe("What every instance of it runs. The old one until the last has moved."),
});

const relatedObject = z.object({
  group: z.string().describe("API group; empty for the core."),
  resource: z.string().describe("Its plural, in lower case."),
  name: z.string().describe("Empty: all of that resource in the namespace."),
  namespace: z.string().describe("Empty, with an empty name: all in the cluster.").optional(),
});

/** One component's line on the status board: whether it works, changes, suffers, and at which version it is. */
export class ClusterOperator extends defineKind({
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterOperator",
  scope: "Cluster",
  shortNames: ["co"],
  description: "What an operator tells about the component that it runs.",
  fields: { spec: z.object({}).describe("Nothing yet. An operator's settings lie in a kind of its own.") },
  status: z.object({
    conditions: conditionsOf<ClusterOperatorConditionType>()
      .describe("Whether the component works, changes, or falls short.")
      .optional(),
    versions: z
      .array(version)
      .describe("At which versions operator and operands are. `operator` is the release.")
      .optional(),
    relatedObjects: z
      .array(relatedObject)
      .describe("What to look at, or to collect, when something is wrong.")
      .optional(),
    extension: z
      .looseObject({})
      .nullable()
      .describe("The operator's own further status. No gate reads it. Never secrets.")
      .optional(),
  }),
  columns: [
    {
      name: "Version",
      type: "string",
      description: "The version the operator is at.",
      jsonPath: '.status.versions[?(@.name=="operator")].version',
    },
    {
      name: "Available",
      type: "string",
      description: "Whether the operator is running and stable.",
      jsonPath: '.status.conditions[?(@.type=="Available")].status',
    },
    {
      name: "Progressing",
      type: "string",
      description: "Whether the operator is processing changes.",
      jsonPath: '.status.conditions[?(@.type=="Progressing")].status',
    },
    {
      name: "Degraded",
      type: "string",
      description: "Whether the operator is degraded.",
      jsonPath: '.status.conditions[?(@.type=="Degraded")].status',
    },
    {
      name: "Since",
      type: "date",
      description: "The time the operator's Available status last changed.",
      jsonPath: '.status.conditions[?(@.type=="Available")].lastTransitionTime',
    },
  ],
  facts: (it) => ({
    versions: it.status.versions,
    available: it.status.conditions.of("Available").status,
    progressing: it.status.conditions.of("Progressing").status,
    degraded: it.status.conditions.of("Degraded").status,
    upgradeable: it.status.conditions.of("Upgradeable").status,
    upgradeableReason: it.status.conditions.of("Upgradeable").reason,
    upgradeableMessage: it.status.conditions.of("Upgradeable").message,
    deleting: it.metadata.deletionTimestamp,
  }),
  ready: (it) => it.status.conditions.of("Available").status.is("True"),
}) {}
