import * as z from "zod";
import { atomic, int64, keyed, time } from "../../../shared/kube/schema/words.ts";
import { release } from "./release.ts";

const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;

/** A condition as Kubernetes' own `metav1.Condition` has it: stricter than those of the operators. */
const strictCondition = z.object({
  type: z.string().max(316).regex(TYPE).describe("What the condition is about."),
  status: z.enum(["True", "False", "Unknown"]),
  observedGeneration: int64.min(0).describe("The generation that it was set for.").optional(),
  lastTransitionTime: time.describe("When the status last changed."),
  reason: z.string().min(1).max(1024).regex(REASON).describe("Why, in one word for programs."),
  message: z.string().max(32768).describe("Why, for people. May be empty."),
});

const matchingRule = z.object({
  type: z.enum(["Always", "PromQL"]).describe("Which sort of rule this is."),
  promql: z
    .object({ promql: z.string().describe("A query that answers 1 where the risk applies and 0 where not.") })
    .describe("The rule of type PromQL.")
    .optional(),
});

/** Behind a gate upstream: accepted and kept. */
const applies = keyed(strictCondition, "type")
  .min(1)
  .max(1)
  .meta({
    "x-kubernetes-validations": [
      {
        message: "must contain a condition of type 'Applies'",
        rule: "self.exists_one(x, x.type == 'Applies')",
      },
    ],
  })
  .describe("Applies: whether it does, to this cluster.")
  .optional();

/** A reason against an update, and to which clusters it applies. */
const risk = z.object({
  name: z.string().min(1).describe("The CamelCase reason against the update."),
  url: z.string().min(1).meta({ format: "uri" }).describe("A page about the risk."),
  message: z.string().min(1).describe("What may happen, for people."),
  matchingRules: atomic(matchingRule)
    .min(1)
    .describe("Whether the risk applies here: the first rule that can be evaluated decides."),
  conditions: applies,
});

/** An update that is recommended to some clusters only. */
export const conditionalUpdate = z.object({
  release: release.describe("Where the update leads."),
  risks: keyed(risk, "name").min(1).max(200).describe("Recommended only where none of them applies."),
  conditions: keyed(strictCondition, "type")
    .describe("Recommended: whether it is, for this cluster.")
    .optional(),
  riskNames: z
    .array(z.string())
    .min(1)
    .max(500)
    .meta({ "x-kubernetes-list-type": "set" })
    .describe("The risks by name, where the server keeps them apart. Accepted and kept.")
    .optional(),
});
/** An update that is recommended to some clusters only. */
export type ConditionalUpdate = z.output<typeof conditionalUpdate>;

/** A risk of any of the updates. Behind a gate upstream: accepted and kept. */
export const conditionalUpdateRisk = risk;
