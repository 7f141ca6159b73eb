import * as z from "zod";
import { ONE_TARGET, pauseFields } from "./command-fields.ts";
import { defineEventType } from "./envelope.ts";

/** Somebody wants a function or an object left alone. */
export const commandPause = defineEventType({
  type: "command.pause",
  meaning: "Leave a function or an object alone until it is resumed.",
  data: z
    .strictObject(pauseFields)
    .refine((target) => (target.function === undefined) !== (target.object === undefined), {
      message: ONE_TARGET,
    }),
});
