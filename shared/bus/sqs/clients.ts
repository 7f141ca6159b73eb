import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SchedulerClient } from "@aws-sdk/client-scheduler";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SqsOptions } from "./options.ts";

type Placed = Pick<SqsOptions, "region" | "endpoint" | "tableEndpoint">;

/**
 * One that took a request and says nothing is away, and is found so while there is time to give back what was received: a Lambda that
 * hangs until it is killed looks like one that its item has killed.
 */
const patience = (requestTimeout: number) => ({
  requestHandler: { connectionTimeout: 2_000, requestTimeout, throwOnRequestTimeout: true },
});
const TABLE_MILLISECONDS = 3_000;
/** Longer than any request for messages waits. */
const QUEUE_MILLISECONDS = 25_000;

/** The given region and endpoint; the SDK finds the rest as it always does: credentials, retries. */
const placed = (region: string | undefined, endpoint: string | undefined) => ({
  ...(region !== undefined && { region }),
  ...(endpoint !== undefined && { endpoint }),
});

// The addresses of queues are given whole; a request goes to the client's endpoint, so an address must not replace it.
export const sqsClient = ({ region, endpoint }: Placed): SQSClient =>
  new SQSClient({
    ...placed(region, endpoint),
    ...patience(QUEUE_MILLISECONDS),
    useQueueUrlAsEndpoint: endpoint === undefined,
  });

export const tableClient = ({ region, tableEndpoint }: Placed): DynamoDBClient =>
  new DynamoDBClient({ ...placed(region, tableEndpoint), ...patience(TABLE_MILLISECONDS) });

export const schedulerClient = ({ region }: Placed): SchedulerClient =>
  new SchedulerClient({ ...placed(region, undefined), ...patience(TABLE_MILLISECONDS) });

/** Sends messages to a queue that is no bus's: what a person or an alarm looks at. */
export function queueSender(placed: Placed, QueueUrl: string): (MessageBody: string) => Promise<void> {
  const client = sqsClient(placed);
  return async (MessageBody) => void (await client.send(new SendMessageCommand({ QueueUrl, MessageBody })));
}
