import * as z from "zod";
import { keyed, time, word } from "../../../shared/kube/schema/words.ts";

/** The weight of a condition that is False: the summary shows the worst. */
export type Severity = "Error" | "Warning" | "Info";

/** The schema of a kind's conditions, in the shape that Cluster API gave them first. */
export const conditionsOf = <Type extends string>() =>
  keyed(
    z.object({
      type: word<Type>().describe("The type, in CamelCase."),
      status: word<"True" | "False" | "Unknown">().describe("Whether it holds: True, False or Unknown."),
      severity: word<Severity>()
        .describe("How bad it is, where it is False: Error, Warning or Info.")
        .optional(),
      reason: z.string().describe("Why, in one word for programs.").optional(),
      message: z.string().describe("Why, for people.").optional(),
      lastTransitionTime: time.describe("When any of the others last changed."),
    }),
    "type",
  );
/** One condition of a status. */
export type Condition<Type extends string = string> = z.output<ReturnType<typeof conditionsOf<Type>>>[number];
