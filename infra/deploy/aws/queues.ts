import { queueEncryption } from "./choices.ts";
import { deadQueueId, PREFIX, queueId, TIMERS } from "./names.ts";
import { arnOf, type Resources } from "./template.ts";
import { type Unit, workersOf } from "./units.ts";

/** The time limit of one invocation, in seconds; serverless.yml sets the same. */
const LAMBDA_SECONDS = 60;
/**
 * A message of a Lambda that died comes back after this: later than any invocation ends. It is the lease, so it is no longer than it
 * must be. AWS advises six times the time limit, since a batch that was throttled stays invisible for as long and counts as
 * received: here `maximumConcurrency` bounds what is invoked, and what is received without a run costs no attempt.
 */
const VISIBILITY_SECONDS = LAMBDA_SECONDS + 30;
const TWO_WEEKS_SECONDS = 14 * 24 * 3600;
/**
 * A backstop for what no code of ours sees, such as a bundle that does not load. Retries and dead letters are made long before:
 * the bus acknowledges a failure and sets a timer.
 */
const MAXIMUM_RECEIVES = 100;

function pair(name: string, fifo: boolean): Resources {
  const end = fifo ? ".fifo" : "";
  const each = {
    ...(fifo && { FifoQueue: true }),
    MessageRetentionPeriod: TWO_WEEKS_SECONDS,
    ...queueEncryption,
  };
  return {
    [queueId(name)]: {
      Type: "AWS::SQS::Queue",
      Properties: {
        QueueName: `${PREFIX}${name}${end}`,
        ...each,
        // Groups are many and small: the throughput of a partition each, and ids that count within a group.
        ...(fifo && { DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" }),
        VisibilityTimeout: VISIBILITY_SECONDS,
        ReceiveMessageWaitTimeSeconds: 20,
        RedrivePolicy: { deadLetterTargetArn: arnOf(deadQueueId(name)), maxReceiveCount: MAXIMUM_RECEIVES },
      },
    },
    [deadQueueId(name)]: {
      Type: "AWS::SQS::Queue",
      Properties: { QueueName: `${PREFIX}${name}_dead${end}`, ...each },
    },
  };
}

/** A FIFO work queue for each worker, the standard queue of the timers, and a dead-letter queue for each. */
export const queues = (units: readonly Unit[]): Resources =>
  Object.assign({}, ...workersOf(units).map(({ name }) => pair(name, true)), pair(TIMERS, false));
