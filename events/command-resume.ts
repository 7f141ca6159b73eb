import * as z from "zod";
import { ONE_TARGET, pauseFields } from "./command-fields.ts";
import { defineEventType } from "./envelope.ts";

/** Somebody ends a pause. */
export const commandResume = defineEventType({
  type: "command.resume",
  meaning: "End the pause of a function or an object, and look at what was left alone.",
  data: z
    .strictObject(pauseFields)
    .refine((target) => (target.function === undefined) !== (target.object === undefined), {
      message: ONE_TARGET,
    }),
});
