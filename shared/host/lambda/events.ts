import * as z from "zod";

/** The second argument of a Lambda handler, as far as it is read here. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
  readonly awsRequestId: string;
}

/** One message of an event source mapping on SQS. */
export interface SqsRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: {
    readonly ApproximateReceiveCount: string;
    /** Milliseconds since the epoch. */
    readonly ApproximateFirstReceiveTimestamp?: string;
  };
  readonly eventSource: string;
  readonly eventSourceARN: string;
}

export interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}

/**
 * The messages that come again; all others are deleted. The event source mapping must be set to `ReportBatchItemFailures`, or
 * this counts for nothing.
 */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

const batch = z.looseObject({
  Records: z
    .array(
      z.looseObject({
        messageId: z.string(),
        receiptHandle: z.string(),
        body: z.string(),
        attributes: z.looseObject({ ApproximateReceiveCount: z.string() }),
        eventSource: z.literal("aws:sqs"),
      }),
    )
    .min(1),
});

/** True where an event is a batch of SQS messages, and not an invocation by a person. */
export const isSqsEvent = (event: unknown): event is SqsEvent => batch.safeParse(event).success;
