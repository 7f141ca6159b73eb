import * as z from "zod";
import { intOrString } from "../../../shared/kube/schema/words.ts";
import { state, stateExecTimeout, workflowExecTimeout } from "./flow-state.ts";

const anything = z.unknown();

const event = z.object({
  correlation: z
    .array(z.object({ contextAttributeName: z.string(), contextAttributeValue: z.string().optional() }))
    .optional(),
  dataOnly: z.boolean().default(true),
  kind: z.enum(["consumed", "produced"]).default("consumed"),
  metadata: anything.optional(),
  name: z.string(),
  source: z.string().optional(),
  type: z.string(),
});

const operation = z.object({
  authRef: z.string().optional(),
  metadata: anything.optional(),
  name: z.string(),
  operation: z.string(),
  type: z.enum(["rest", "rpc", "expression", "graphql", "odata", "asyncapi", "custom"]).default("rest"),
});

const float = z.object({
  floatVal: z.number().optional(),
  strVal: z.string().optional(),
  type: z.int().optional(),
});
const retry = z.object({
  delay: z.string().optional(),
  increment: z.string().optional(),
  jitter: float.optional(),
  maxAttempts: intOrString,
  maxDelay: z.string().optional(),
  multiplier: float.optional(),
  name: z.string(),
});

/** The body of a workflow, as version 0.8 of the CNCF specification has it and this group's kind accepts it. */
export const flow = z.object({
  annotations: z.array(z.string()).optional(),
  auth: anything.optional(),
  autoRetries: z.boolean().optional(),
  constants: z.record(z.string(), z.string().meta({ format: "byte" })).optional(),
  dataInputSchema: z
    .object({ failOnValidationErrors: z.boolean(), schema: anything.nonoptional() })
    .optional(),
  errors: z
    .array(z.object({ code: z.string().optional(), description: z.string().optional(), name: z.string() }))
    .optional(),
  events: z.array(event).optional(),
  functions: z.array(operation).optional(),
  keepActive: z.boolean().optional(),
  metadata: anything.optional(),
  retries: z.array(retry).optional(),
  secrets: z.array(z.string()).optional(),
  start: anything.optional(),
  states: z.array(state).min(1).describe("What the workflow does, one state after the other."),
  timeouts: z
    .object({
      actionExecTimeout: z.string().optional(),
      branchExecTimeout: z.string().optional(),
      eventTimeout: z.string().optional(),
      stateExecTimeout: stateExecTimeout.optional(),
      workflowExecTimeout: workflowExecTimeout.optional(),
    })
    .optional(),
});
