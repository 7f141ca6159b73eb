import { deadQueueId, lambdaId, logGroupId, PREFIX, queueId } from "./names.ts";
import { ALARM_TOPIC, HEARTBEAT_QUEUE } from "./state.ts";
import { type Resource, type Resources, ref } from "./template.ts";
import type { Unit } from "./units.ts";

const PERIOD_SECONDS = 300;
/** Work that waits for so long is late: runs take seconds, and sweeps hold back while a queue is long. */
const OLD_SECONDS = 900;

/** The namespace of the metrics that our own log lines become. */
const OWN_NAMESPACE = "Reveille";

interface Watched {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions?: Readonly<Record<string, unknown>>;
  readonly statistic: "Maximum" | "Sum";
  /** Exactly one of the two. */
  readonly above?: number;
  readonly below?: number;
  /** The number of periods on end. */
  readonly periods: number;
}

const alarm = (name: string, description: string, watched: Watched): Resource => ({
  Type: "AWS::CloudWatch::Alarm",
  Properties: {
    AlarmName: `${PREFIX}${name}`,
    AlarmDescription: description,
    Namespace: watched.namespace,
    MetricName: watched.metric,
    ...(watched.dimensions !== undefined && {
      Dimensions: Object.entries(watched.dimensions).map(([Name, Value]) => ({ Name, Value })),
    }),
    Statistic: watched.statistic,
    Period: PERIOD_SECONDS,
    EvaluationPeriods: watched.periods,
    Threshold: watched.below ?? watched.above,
    ComparisonOperator: watched.below === undefined ? "GreaterThanThreshold" : "LessThanThreshold",
    // Where silence is the trouble, no numbers are trouble too.
    TreatMissingData: watched.below === undefined ? "notBreaching" : "breaching",
    AlarmActions: [ref(ALARM_TOPIC)],
    OKActions: [ref(ALARM_TOPIC)],
  },
});

const queueNameOf = (id: string): object => ({ "Fn::GetAtt": [id, "QueueName"] });

function alarmsOf({ name }: Unit): Resources {
  const id = queueId(name).replace(/Queue$/, "");
  const deadMetric = `${PREFIX}${name}-dead-letters`;
  return {
    [`${id}OldAlarm`]: alarm(
      `${name}-old`,
      `The oldest message of ${name} waits for more than ${OLD_SECONDS / 60} minutes: look at its errors, its concurrency, and whether the API server answers.`,
      {
        namespace: "AWS/SQS",
        metric: "ApproximateAgeOfOldestMessage",
        dimensions: { QueueName: queueNameOf(queueId(name)) },
        statistic: "Maximum",
        above: OLD_SECONDS,
        periods: 2,
      },
    ),
    [`${id}UndeliveredAlarm`]: alarm(
      `${name}-undelivered`,
      `Messages of ${name} were given up by the queue itself: its Lambda did not even start to run them. Mend it, then redrive the dead-letter queue.`,
      {
        namespace: "AWS/SQS",
        metric: "ApproximateNumberOfMessagesVisible",
        dimensions: { QueueName: queueNameOf(deadQueueId(name)) },
        statistic: "Maximum",
        above: 0,
        periods: 1,
      },
    ),
    [`${id}ErrorsAlarm`]: alarm(
      `${name}-errors`,
      `Invocations of ${name} end by an error, a time-out or a lack of memory: its log says which.`,
      {
        namespace: "AWS/Lambda",
        metric: "Errors",
        dimensions: { FunctionName: ref(lambdaId(name)) },
        statistic: "Sum",
        above: 0,
        periods: 2,
      },
    ),
    [`${id}ThrottlesAlarm`]: alarm(
      `${name}-throttles`,
      `Invocations of ${name} are turned away: the account has no room for more Lambdas at once. Its work waits, and nothing is lost.`,
      {
        namespace: "AWS/Lambda",
        metric: "Throttles",
        dimensions: { FunctionName: ref(lambdaId(name)) },
        statistic: "Sum",
        above: 0,
        // One that scales up is turned away now and then.
        periods: 3,
      },
    ),
    [`${id}DeadLettersMetric`]: {
      Type: "AWS::Logs::MetricFilter",
      Properties: {
        LogGroupName: ref(logGroupId(name)),
        // The line of each run (infra/hosts/run-log.ts).
        FilterPattern: '{ $.outcome = "dead" }',
        MetricTransformations: [
          { MetricNamespace: OWN_NAMESPACE, MetricName: deadMetric, MetricValue: "1", DefaultValue: 0 },
        ],
      },
    },
    [`${id}DeadLettersAlarm`]: alarm(
      `${name}-dead-letters`,
      `Keys of ${name} went to the dead letters: \`reveille dead-letters list\` names them and their errors.`,
      { namespace: OWN_NAMESPACE, metric: deadMetric, statistic: "Sum", above: 0, periods: 1 },
    ),
  };
}

/**
 * The alarms: that of the watcher, and for each Lambda: its work grows old, its queue or its runs give up, its invocations fail.
 */
export const alarms = (units: readonly Unit[]): Resources =>
  Object.assign({ WatcherSilentAlarm: watcherSilent }, ...units.map(alarmsOf));

const SILENT_PERIODS = 3;

/** All other alarms look at queues and Lambdas, which are calm where nobody feeds them. */
const watcherSilent = alarm(
  "watcher-silent",
  `No watcher has told for ${(SILENT_PERIODS * PERIOD_SECONDS) / 60} minutes that it follows the cluster: look at its pod and its log. Nothing is lost: what changed meanwhile is found when it is back.`,
  {
    namespace: "AWS/SQS",
    metric: "NumberOfMessagesSent",
    dimensions: { QueueName: queueNameOf(HEARTBEAT_QUEUE) },
    statistic: "Sum",
    below: 1,
    periods: SILENT_PERIODS,
  },
);
