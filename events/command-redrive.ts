import * as z from "zod";
import { askedBy, functionName, reason } from "./command-fields.ts";
import { defineEventType, type EventOf } from "./envelope.ts";

/** Somebody takes a key out of the dead letters. */
export const commandRedrive = defineEventType({
  type: "command.redrive",
  meaning: "Take a key out of the dead letters and look at it now; its old event is not replayed.",
  data: z.strictObject({
    /** `-` for a refused event; its key is then the event's id. */
    function: functionName,
    key: z.string().min(1).max(1024),
    askedBy,
    reason,
  }),
});
export type CommandRedrive = EventOf<typeof commandRedrive>;
