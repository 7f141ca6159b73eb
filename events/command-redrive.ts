import * as z from "zod";
import { defineEventType, type EventOf } from "./envelope.ts";

/** Somebody takes a key out of the dead letters. */
export const commandRedrive = defineEventType({
  type: "command.redrive",
  meaning: "Take a key out of the dead letters and look at it now; its old event is not replayed.",
  data: z.object({
    function: z.string().min(1).max(128),
    key: z.string().min(1).max(1024),
    askedBy: z.string().min(1).max(256),
  }),
});
export type CommandRedrive = EventOf<typeof commandRedrive>;
