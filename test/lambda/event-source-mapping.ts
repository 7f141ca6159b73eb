import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { BatchAnswer, LambdaContext, SqsEvent, SqsRecord } from "../../shared/host/lambda/index.ts";

/** A function's handler. One whose host dies never answers. */
export type Invocation = (event: SqsEvent, context: LambdaContext) => Promise<BatchAnswer>;

/** One message as Lambda hands it in. */
export function recordOf(message: Message, queue: string): SqsRecord {
  const { MessageId = "", ReceiptHandle = "", Body = "", Attributes } = message;
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: {
      ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? "1",
      ...(Attributes?.ApproximateFirstReceiveTimestamp !== undefined && {
        ApproximateFirstReceiveTimestamp: Attributes.ApproximateFirstReceiveTimestamp,
      }),
    },
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue.split("/").at(-1)}`,
  };
}

/** A context with so much time left. */
export const contextOf = (milliseconds: number): LambdaContext => ({
  awsRequestId: "00000000-0000-0000-0000-000000000000",
  getRemainingTimeInMillis: () => milliseconds,
});

/**
 * One turn of an event source mapping with `ReportBatchItemFailures`: receives a batch, calls the function, deletes what it does
 * not name. Where the function's host dies nothing is deleted, and the messages come again after the visibility timeout.
 * @returns how many messages the batch held
 */
export async function turn(
  client: SQSClient,
  queue: string,
  invoke: Invocation,
  options: { readonly visibilitySeconds: number; readonly timeLimit: number },
): Promise<number> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queue,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: options.visibilitySeconds,
      MessageSystemAttributeNames: ["All"],
    }),
  );
  if (Messages.length === 0) return 0;
  const Records = Messages.map((message) => recordOf(message, queue));
  const answer = await invoke({ Records }, contextOf(options.timeLimit));
  const again = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const done = Records.filter(({ messageId }) => !again.has(messageId));
  if (done.length > 0)
    await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: queue,
        Entries: done.map(({ receiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
        })),
      }),
    );
  return Messages.length;
}
