import * as z from "zod";

const seconds = (least: number, most: number, fallback: number) =>
  z.int().min(least).max(most).default(fallback);

/** The configuration of the bus on SQS. Credentials come from the SDK's own chain: roles, profiles, the environment. */
export const sqsOptions = z.object({
  workQueue: z
    .string()
    .regex(/^https?:\/\/\S+\.fifo$/, "write the address of a FIFO queue; it ends in .fifo")
    .describe(
      "The address of the work queues, with `{function}` where a function's name stands: `https://sqs.eu-central-1.amazonaws.com/ACCOUNT/reveille-{function}.fifo`. Without it all functions share one queue.",
    ),
  timerQueue: z
    .string()
    .regex(/^https?:\/\/\S+$/, "write the address of a queue")
    .describe("The address of the standard queue that timers and delayed work travel on."),
  table: z
    .string()
    .min(3)
    .max(255)
    .describe("The DynamoDB table that holds what a queue cannot remember. Its name or ARN."),
  heartbeatQueue: z
    .string()
    .regex(/^https?:\/\/\S+$/, "write the address of a queue")
    .optional()
    .describe(
      "The address of a standard queue that the leading watcher sends a message to every minute, so that an alarm can tell its silence. Default: none.",
    ),
  scheduler: z
    .object({
      group: z.string().min(1).default("default").describe("The schedule group of distant timers."),
      role: z
        .string()
        .min(1)
        .describe("ARN of the role that lets EventBridge Scheduler send to the timer queue."),
      queue: z.string().min(1).describe("ARN of the timer queue."),
    })
    .optional()
    .describe(
      "Distant timers lie in EventBridge Scheduler. Default: they travel on the timer queue, a message every 15 minutes.",
    ),
  region: z.string().min(1).optional().describe("Default: as the SDK finds it."),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Another endpoint for SQS, such as an emulator's."),
  tableEndpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Another endpoint for DynamoDB."),
  leaseSeconds: seconds(5, 43_200, 30).describe(
    "For so long a message stays with the worker that took it; renewed while it runs. On Lambda the queue's visibility timeout holds.",
  ),
  waitSeconds: seconds(0, 20, 20).describe("How long a worker's request waits for messages."),
  shortQueue: z
    .int()
    .min(1)
    .default(100)
    .describe("Sweeps and resyncs hold back while more messages than this wait in a work queue."),
  historyDays: z.int().min(1).max(365).default(7).describe("How long runs and events are remembered."),
});

/** Checked, with defaults. */
export type SqsOptions = z.output<typeof sqsOptions>;

/** The address of a function's work queue. */
export const workQueueOf = ({ workQueue }: Pick<SqsOptions, "workQueue">, name: string): string =>
  workQueue.replaceAll("{function}", name);
