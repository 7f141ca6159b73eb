import type { Work } from "../../bus/contract.ts";
import type { Delivery, SqsBus } from "../../bus/sqs/index.ts";
import { type Clock, systemClock } from "../../clock/clock.ts";
import { type BatchAnswer, isSqsEvent, type LambdaContext, type SqsEvent, type SqsRecord } from "./events.ts";

/** The time before the end of the invocation at which everything is over: a run that goes on has lost its lease. */
const MARGIN_MILLISECONDS = 1_000;

export type LambdaHandler<Event, Answer> = (event: Event, context: LambdaContext) => Promise<Answer>;

const deliveryOf = ({ messageId, receiptHandle, body, attributes }: SqsRecord): Delivery => ({
  id: messageId,
  receipt: receiptHandle,
  body,
  receives: Number(attributes.ApproximateReceiveCount),
  // SQS tells of the first time only.
  ...(attributes.ApproximateReceiveCount === "1" && {
    receivedAt: Number(attributes.ApproximateFirstReceiveTimestamp ?? 0),
  }),
});

const answerOf = (again: readonly Delivery[]): BatchAnswer => ({
  batchItemFailures: again.map(({ id }) => ({ itemIdentifier: id })),
});

/**
 * The handler of a function's work queue. Keys run side by side; of the messages of one key the newest is run and all are
 * acknowledged with it; what could not end comes again.
 */
export function createSqsHandler(parts: {
  readonly bus: Pick<SqsBus, "deliver">;
  /** The work of the host, as `hostWork` makes it. */
  readonly work: Work;
  readonly clock?: Clock;
}): LambdaHandler<SqsEvent, BatchAnswer> {
  const { bus, work, clock = systemClock } = parts;
  return async ({ Records }, context) => {
    const until = clock.now() + context.getRemainingTimeInMillis() - MARGIN_MILLISECONDS;
    return answerOf(await bus.deliver(Records.map(deliveryOf), work, { until }));
  };
}

/** The handler of the timer queue. It knows no function: it reads the table and enqueues. */
export function createTimerHandler(parts: {
  readonly bus: Pick<SqsBus, "fire">;
}): LambdaHandler<SqsEvent, BatchAnswer> {
  return async ({ Records }) => answerOf(await parts.bus.fire(Records.map(deliveryOf)));
}

/**
 * One handler for a function's Lambda: batches of its queue go to one, what a person sends by hand to the console.
 * @param parts.console what answers a test event, with a value that can be written as JSON
 */
export function createLambdaHandler(parts: {
  readonly queue: LambdaHandler<SqsEvent, BatchAnswer>;
  readonly console: (event: unknown, context: LambdaContext) => Promise<unknown>;
}): LambdaHandler<unknown, unknown> {
  return (event, context) =>
    isSqsEvent(event) ? parts.queue(event, context) : parts.console(event, context);
}
