import * as z from "zod";
import { keyed, time, word } from "../../../shared/kube/schema/words.ts";
import type { ConditionStatus } from "../status/index.ts";

/** The conditions of a kind, one of each type, so that several writers may own a type each. */
export const conditionsOf = <T extends string>() =>
  keyed(
    z.object({
      type: word<T>().describe("What the condition is about."),
      status: word<ConditionStatus>().describe("True, False or Unknown. Any other word counts as Unknown."),
      lastTransitionTime: time.describe(
        "When the status last changed. A new reason or message does not move it.",
      ),
      reason: z.string().describe("Why, in one CamelCase word for programs.").optional(),
      message: z.string().describe("Why, for people. May hold line feeds.").optional(),
    }),
    "type",
  );
