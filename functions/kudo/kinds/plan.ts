import * as z from "zod";
import { wordOf } from "./words.ts";

/** The order of a plan's phases, or of a phase's steps: one after the other, or each as far as it comes. */
export type Strategy = "serial" | "parallel";

const strategy = wordOf<Strategy>("serial", "parallel");
const timeoutSeconds = z
  .int()
  .min(1)
  .describe("After how many seconds it is given up. Absent: never.")
  .optional();

const step = z.object({
  name: z.string().optional(),
  tasks: z.array(z.string()).nullable().describe("The names of its tasks, in order.").optional(),
  timeoutSeconds,
});
const phase = z.object({
  name: z.string().optional(),
  strategy: strategy.describe("serial: step after step. Absent: serial.").optional(),
  steps: z.array(step).nullable().describe("Its steps, in order.").optional(),
  timeoutSeconds,
});

/** The schema of a plan. */
export const plan = z.object({
  strategy: strategy.describe("serial: phase after phase. Absent: serial.").optional(),
  phases: z
    .array(phase)
    .nullable()
    .describe("Its phases, in order. None: it is complete at once.")
    .optional(),
  timeoutSeconds,
});
/** A plan that an OperatorVersion declares. */
export type Plan = z.output<typeof plan>;
/** A phase of a plan. */
export type Phase = z.output<typeof phase>;
/** A step of a phase. */
export type Step = z.output<typeof step>;
