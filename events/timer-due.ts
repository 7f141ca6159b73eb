import * as z from "zod";
import { defineEventType, type EventOf } from "./envelope.ts";

/** A deadline, retry or net of one key of one function has come. */
export const timerDue = defineEventType({
  type: "timer.due",
  meaning: "A deadline, a retry or a net of one key is due.",
  data: z.object({
    function: z.string().min(1).max(128),
    key: z.string().min(1).max(1024),
    /** The deadline's name; `retry` and `net` are the engine's own. */
    name: z.string().min(1).max(256),
    sort: z.enum(["deadline", "retry", "net"]),
    dueAt: z.iso.datetime({ offset: true }),
    /** A newer timer of the same name has a higher number; an old one is ignored. */
    number: z.int().min(1),
  }),
});
export type TimerDue = EventOf<typeof timerDue>;
