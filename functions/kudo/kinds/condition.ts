import * as z from "zod";
import { int64, keyed, time, word } from "../../../shared/kube/schema/words.ts";

/** The types of an Instance's conditions. */
export type InstanceConditionType =
  /** Its workloads are healthy. */
  | "Ready"
  /** False: its spec asks for something that is not begun, and why. */
  | "PlanScheduled"
  /** True: an object that it owned is gone. */
  | "Drifted";

const TYPE =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";
const REASON = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";
/** The most characters of a condition's message: the server refuses a longer one. */
export const MESSAGE_CHARACTERS = 32_768;

/** One condition, as the API's own kinds have it, with the bounds of metav1.Condition. */
const condition = z.object({
  type: word<InstanceConditionType>().meta({ maxLength: 316, pattern: TYPE }).describe("What it is about."),
  status: z.enum(["True", "False", "Unknown"]).describe("Whether it holds."),
  reason: z
    .string()
    .meta({ minLength: 1, maxLength: 1024, pattern: REASON })
    .describe("Why, in one word for programs."),
  message: z.string().meta({ maxLength: MESSAGE_CHARACTERS }).describe("Why, for people."),
  lastTransitionTime: time.describe("When the status last changed."),
  observedGeneration: int64.min(0).describe("The generation that it was said of.").optional(),
});
/** One condition of an Instance. */
export type InstanceCondition = z.output<typeof condition>;

/** The schema of an Instance's conditions. */
export const conditions = keyed(condition, "type");
