import { whereGiven } from "./choices.ts";
import { PREFIX, queueId, roleId, TIMERS } from "./names.ts";
import { RING_ROLE, SCHEDULE_GROUP, TABLE } from "./state.ts";
import { arnOf, ref, sub, variable } from "./template.ts";
import type { Unit } from "./units.ts";

/** The variable that names the folder of generated files which serverless.yml includes; absent: that of this repository. */
export const GENERATED = "REVEILLE_AWS_GENERATED";

/** The folder of a Lambda's bundle in the build, from the root. */
export const bundleFolder = (name: string): string => `build/lambda/${name}`;

const BATCH_SIZE = 10;
/** AWS takes no less. */
const LEAST_CONCURRENCY = 2;

/** The `functions` of serverless.yml. */
export const functions = (units: readonly Unit[]): object =>
  Object.fromEntries(
    units.map(({ name, description, declaration }) => {
      const parallel = declaration?.parallel;
      return [
        name,
        {
          description,
          handler: `${bundleFolder(name)}/index.handler`,
          role: roleId(name),
          environment: variable(
            `file(${variable(`env:${GENERATED}, './infra/deploy/aws/generated'`)}/access-${variable("param:access")}.yml):environment.${name}`,
          ),
          package: { patterns: ["!**", `${bundleFolder(name)}/**`] },
          events: [
            {
              sqs: {
                arn: arnOf(queueId(name)),
                batchSize: BATCH_SIZE,
                functionResponseType: "ReportBatchItemFailures",
                maximumConcurrency:
                  parallel === undefined
                    ? variable("param:concurrency")
                    : Math.max(LEAST_CONCURRENCY, parallel),
              },
            },
          ],
        },
      ];
    }),
  );

const queueUrl = (name: string): object =>
  sub(`https://sqs.\${AWS::Region}.\${AWS::URLSuffix}/\${AWS::AccountId}/${PREFIX}${name}`);

/** The settings of the bus for whoever joins: the Lambdas, the watcher in the cluster, people with the command line. */
export const busSettings = {
  REVEILLE_BUS_KIND: "sqs",
  REVEILLE_BUS_SQS_WORK_QUEUE: queueUrl("{function}.fifo"),
  REVEILLE_BUS_SQS_TIMER_QUEUE: queueUrl(TIMERS),
  REVEILLE_BUS_SQS_TABLE: ref(TABLE),
} as const;

/** The further settings of the watcher. */
export const watcherSettings = {
  REVEILLE_BUS_SQS_HEARTBEAT_QUEUE: queueUrl("heartbeat"),
} as const;

/** The environment of every Lambda. They alone set distant timers. */
export const environment = {
  REVEILLE_CLUSTER_NAME: variable("env:REVEILLE_CLUSTER_NAME"),
  REVEILLE_LOG_LEVEL: variable("env:REVEILLE_LOG_LEVEL, 'info'"),
  REVEILLE_CLUSTER_CONCURRENT_WRITES: variable("param:concurrentWrites"),
  REVEILLE_NAMESPACES: whereGiven("namespaces", variable("param:namespaces")),
  REVEILLE_CONFIGURATION: whereGiven("configuration", variable("param:configuration")),
  REVEILLE_RUNS: whereGiven("runs", variable("param:runs")),
  ...busSettings,
  REVEILLE_BUS_SQS_SCHEDULER_GROUP: ref(SCHEDULE_GROUP),
  REVEILLE_BUS_SQS_SCHEDULER_ROLE: arnOf(RING_ROLE),
  REVEILLE_BUS_SQS_SCHEDULER_QUEUE: arnOf(queueId(TIMERS)),
} as const;
