import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SchedulerClient } from "@aws-sdk/client-scheduler";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { SqsOptions } from "./options.ts";

type Placed = Pick<SqsOptions, "region" | "endpoint" | "tableEndpoint">;

/** What is not given, the SDK finds as it always does: region, credentials, retries. */
const placed = (region: string | undefined, endpoint: string | undefined) => ({
  ...(region !== undefined && { region }),
  ...(endpoint !== undefined && { endpoint }),
});

// The addresses of queues are given whole; a request goes to the client's endpoint, so an address must not replace it.
export const sqsClient = ({ region, endpoint }: Placed): SQSClient =>
  new SQSClient({ ...placed(region, endpoint), useQueueUrlAsEndpoint: endpoint === undefined });

export const tableClient = ({ region, tableEndpoint }: Placed): DynamoDBClient =>
  new DynamoDBClient(placed(region, tableEndpoint));

export const schedulerClient = ({ region }: Placed): SchedulerClient =>
  new SchedulerClient(placed(region, undefined));
