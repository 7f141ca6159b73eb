import * as z from "zod";
import { int64, keyed, time, word } from "../../../shared/kube/schema/words.ts";

const TYPE =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";
const REASON = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";

/** The schema of a kind's conditions, with the bounds of metav1.Condition. */
export const conditionsOf = <Type extends string>() =>
  keyed(
    z.object({
      type: word<Type>().meta({ maxLength: 316, pattern: TYPE }).describe("What it is about."),
      status: z.enum(["True", "False", "Unknown"]).describe("Whether it holds."),
      reason: z
        .string()
        .meta({ minLength: 1, maxLength: 1024, pattern: REASON })
        .describe("Why, in one word for programs."),
      message: z.string().meta({ maxLength: 32_768 }).describe("Why, for people."),
      lastTransitionTime: time.describe("When the status last changed."),
      observedGeneration: int64.min(0).describe("The generation that it was said of.").optional(),
    }),
    "type",
  );
