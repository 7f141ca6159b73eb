import * as z from "zod";
import { time, word } from "../../../shared/kube/schema/words.ts";

/** One condition as this group's kinds have it: `lastUpdateTime` moves with status, reason or message. */
export interface Condition<T extends string = string> {
  type: T;
  status: "True" | "False" | "Unknown";
  lastUpdateTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

/** The conditions of a kind, with the types that it knows. An atomic list, as the kinds have always had it. */
export const conditionsOf = <T extends string>() =>
  z
    .array(
      z.object({
        type: word<T>().describe("What the condition is about."),
        status: word<Condition["status"]>().describe("True, False or Unknown."),
        lastUpdateTime: time.describe("When status, reason or message last changed.").optional(),
        reason: z.string().describe("Why, in one word.").optional(),
        message: z.string().describe("Why, for people.").optional(),
      }),
    )
    .describe("What was last observed.");
