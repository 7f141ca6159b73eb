import * as z from "zod";
import { defineEventType, type EventOf } from "./envelope.ts";

/** Somebody asks that a function looks at one key, or at all of its keys, once more. */
export const commandReconcile = defineEventType({
  type: "command.reconcile",
  meaning: "Look at one key of a function, or at all of them, once more.",
  data: z.object({
    function: z.string().min(1).max(128),
    /** Absent: all keys, as a sweep. */
    key: z.string().min(1).max(1024).optional(),
    askedBy: z.string().min(1).max(256),
  }),
});
export type CommandReconcile = EventOf<typeof commandReconcile>;
