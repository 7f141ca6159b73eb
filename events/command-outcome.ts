import * as z from "zod";
import { askedBy } from "./command-fields.ts";
import { defineEventType, type EventOf } from "./envelope.ts";

/** The outcome of a command. */
export const commandOutcome = defineEventType({
  type: "command.outcome",
  meaning: "A command was carried out, or refused; once for each command.",
  data: z.object({
    /** The command's event id. */
    command: z.string().min(1).max(256),
    type: z.string().min(1).max(256),
    askedBy,
    /**
     * `done`: it took effect. `unchanged`: it was so already. `superseded`: a later command about the same had come before it.
     * `refused`: it names what is not there, or may not be; the message says what.
     */
    outcome: z.enum(["done", "unchanged", "superseded", "refused"]),
    message: z.string().max(1024),
  }),
});
export type CommandOutcome = EventOf<typeof commandOutcome>;
