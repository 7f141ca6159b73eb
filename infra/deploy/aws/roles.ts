import { HAS_KMS_KEY, kmsKey, PermissionsBoundary, vpcPolicies } from "./choices.ts";
import { deadQueueId, PREFIX, queueId, roleId, TIMERS } from "./names.ts";
import { HEARTBEAT_QUEUE, RING_ROLE, schedules, TABLE } from "./state.ts";
import {
  allow,
  arnOf,
  policy,
  type Resource,
  type Resources,
  ref,
  type Statement,
  sub,
  trust,
} from "./template.ts";
import { type Unit, workersOf } from "./units.ts";

/** The actions of an event source mapping on the queue that it drains, and of the handler on its messages. */
const DRAIN = [
  "sqs:ReceiveMessage",
  "sqs:DeleteMessage",
  "sqs:ChangeMessageVisibility",
  "sqs:GetQueueAttributes",
];
/** Sweeps ask how long a queue is before they send. */
const SEND = ["sqs:SendMessage", "sqs:GetQueueAttributes"];

const queueArns = (names: readonly string[]): readonly object[] => names.map((name) => arnOf(queueId(name)));

/** Keys, waits and history. */
const table: Statement = allow(
  [
    "dynamodb:BatchGetItem",
    "dynamodb:BatchWriteItem",
    "dynamodb:DeleteItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Query",
  ],
  [arnOf(TABLE)],
);

/** The keys of runs, events and waits (shared/bus/sqs/dynamo): they belong to objects, not to functions. */
const TOLD = ["run/*", "event/*", "subject/*", "write/*", "log/*", "wait/*"];
/** Under which the bus keeps events that it refused. */
const REFUSED = "key/-";

/** The keys of a function are its own: it sees and changes no other's attempts, timers and dead letters. */
function tableOf({ name, sort, sendsTo }: Unit): Statement {
  if (sort !== "function") return table;
  const emits = sendsTo.length > 1;
  return {
    ...table,
    Condition: {
      "ForAllValues:StringLike": {
        "dynamodb:LeadingKeys": [`key/${name}`, `runs-of/${name}/*`, ...TOLD, ...(emits ? [REFUSED] : [])],
      },
    },
  };
}

/** Timers farther ahead than a queue can delay a message. */
const distantTimers: readonly Statement[] = [
  allow(["scheduler:CreateSchedule", "scheduler:UpdateSchedule"], [schedules]),
  {
    ...allow(["iam:PassRole"], [arnOf(RING_ROLE)]),
    Condition: { StringEquals: { "iam:PassedToService": "scheduler.amazonaws.com" } },
  },
];

/** Streams of its own log group: their names are Lambda's. */
const logs = (name: string): Statement =>
  allow(
    ["logs:CreateLogStream", "logs:PutLogEvents"],
    [
      sub(
        `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/aws/lambda/${PREFIX}${name}:*`,
      ),
    ],
  );

/** The role of one Lambda, derived from what its function declares. */
function role(unit: Unit): Resource {
  const { name, sendsTo } = unit;
  const statements: readonly Statement[] = [
    allow(DRAIN, queueArns([name])),
    allow(SEND, queueArns(sendsTo)),
    allow(["sqs:SendMessage"], queueArns([TIMERS])),
    tableOf(unit),
    ...distantTimers,
    logs(name),
  ];
  return {
    Type: "AWS::IAM::Role",
    Properties: {
      AssumeRolePolicyDocument: trust("lambda.amazonaws.com"),
      PermissionsBoundary,
      ManagedPolicyArns: vpcPolicies,
      Policies: [{ PolicyName: "declared", PolicyDocument: policy(statements) }],
    },
  };
}

/** The rights of `reveille watcher` from inside the cluster: it sends its events, and receives nothing. */
const watcherPolicy = (units: readonly Unit[]): Resource => ({
  Type: "AWS::IAM::ManagedPolicy",
  Properties: {
    Description: "What the watcher in the cluster needs: it sends and never receives.",
    PolicyDocument: policy([
      allow(SEND, queueArns(workersOf(units).map(({ name }) => name))),
      allow(["sqs:SendMessage"], [...queueArns([TIMERS]), arnOf(HEARTBEAT_QUEUE)]),
      table,
    ]),
  },
});

/** The rights of a person for `reveille status`, `why`, `dead-letters`: the table, and the lengths of the queues. */
const operatorPolicy = (units: readonly Unit[]): Resource => ({
  Type: "AWS::IAM::ManagedPolicy",
  Properties: {
    Description: "What people need to look at the installation, redrive and send commands.",
    PolicyDocument: policy([
      allow(SEND, queueArns(workersOf(units).map(({ name }) => name))),
      allow(
        ["sqs:GetQueueAttributes"],
        [...units.map(({ name }) => arnOf(deadQueueId(name))), arnOf(queueId(TIMERS))],
      ),
      table,
    ]),
  },
});

/** The further rights of all that send to the queues or receive from them, where these are encrypted with a key of one's own. */
const keyPolicy = (units: readonly Unit[]): Resource => ({
  Type: "AWS::IAM::ManagedPolicy",
  Condition: HAS_KMS_KEY,
  Properties: {
    Description: "The use of the key that encrypts the queues, for those who send and receive.",
    Roles: [...units.map(({ name }) => ref(roleId(name))), ref(RING_ROLE)],
    PolicyDocument: policy([allow(["kms:Decrypt", "kms:GenerateDataKey"], [kmsKey])]),
  },
});

export const WATCHER_POLICY = "WatcherPolicy";
export const KEY_POLICY = "KeyPolicy";

/** A role for each Lambda, and the rights of those who are outside. */
export const roles = (units: readonly Unit[]): Resources => ({
  ...Object.fromEntries(units.map((unit) => [roleId(unit.name), role(unit)])),
  [WATCHER_POLICY]: watcherPolicy(units),
  OperatorPolicy: operatorPolicy(units),
  [KEY_POLICY]: keyPolicy(units),
});
