import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { objectReference } from "./object-reference.ts";
import { parameter } from "./parameter.ts";
import { plan } from "./plan.ts";
import { task } from "./task.ts";

/** The schema of what a version of an operator is. */
export const operatorVersionSpec = z.object({
  operator: objectReference.describe("Its Operator.").optional(),
  version: z.string().describe("The version of the operator.").optional(),
  appVersion: z.string().describe("The version of the application.").optional(),
  connectionString: z.string().describe("Accepted and kept.").optional(),
  upgradableFrom: z.array(objectReference).describe("Accepted and kept.").optional(),
  templates: z.record(z.string(), z.string()).describe("Templates by path.").optional(),
  parameters: z.array(parameter).describe("What an Instance can choose.").optional(),
  tasks: z.array(task).describe("The tasks that steps name.").optional(),
  plans: z.record(z.string(), plan).nullable().describe("Plans by name. deploy must be there.").optional(),
});
/** The definition of an operator's version. */
export type OperatorVersionSpec = z.output<typeof operatorVersionSpec>;

/** One version of an operator: templates, parameters, tasks and plans. */
export class OperatorVersion extends defineKind({
  group: "kudo.dev",
  version: "v1beta1",
  kind: "OperatorVersion",
  scope: "Namespaced",
  description: "One version of an operator: templates, parameters, tasks, and the plans that run them.",
  fields: {
    spec: operatorVersionSpec.optional(),
    // Upstream declares no subresource: whoever writes it writes the object.
    status: z.object({}).describe("Nothing yet.").optional(),
  },
  columns: [
    { name: "Operator", type: "string", jsonPath: ".spec.operator.name" },
    { name: "Version", type: "string", jsonPath: ".spec.version" },
    { name: "App", type: "string", jsonPath: ".spec.appVersion" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  // Templates are long: that it changed is all that travels.
  facts: (it) => ({ generation: it.metadata.generation }),
}) {}
