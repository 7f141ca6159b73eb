import { kmsKey, PermissionsBoundary, queueEncryption, whereGiven } from "./choices.ts";
import { PREFIX, queueId, TIMERS } from "./names.ts";
import { allow, arnOf, policy, type Resources, ref, sub, trust } from "./template.ts";

export const TABLE = "StateTable";
export const SCHEDULE_GROUP = "TimerSchedules";
/** The role of EventBridge Scheduler when a distant timer rings. */
export const RING_ROLE = "TimerRingRole";
/** The queue in which the leading watcher tells every minute that it follows the cluster. */
export const HEARTBEAT_QUEUE = "HeartbeatQueue";
/** The topic of alarms. */
export const ALARM_TOPIC = "AlarmTopic";

/** The state that a queue cannot remember, and the timers that are far ahead. */
export const state: Resources = {
  [TABLE]: {
    Type: "AWS::DynamoDB::Table",
    // Dead letters, deadlines and waits outlive the stack: point-in-time recovery does not bring back a table that was deleted.
    DeletionPolicy: "Retain",
    UpdateReplacePolicy: "Retain",
    Properties: {
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      TimeToLiveSpecification: { AttributeName: "expires", Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: whereGiven(
        "kmsKey",
        { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: kmsKey },
        { SSEEnabled: true },
      ),
    },
  },
  [SCHEDULE_GROUP]: { Type: "AWS::Scheduler::ScheduleGroup", Properties: { Name: `${PREFIX}timers` } },
  [RING_ROLE]: {
    Type: "AWS::IAM::Role",
    Properties: {
      AssumeRolePolicyDocument: trust("scheduler.amazonaws.com", {
        Condition: {
          StringEquals: { "aws:SourceAccount": ref("AWS::AccountId") },
        },
      }),
      PermissionsBoundary,
      Policies: [
        {
          PolicyName: "ring",
          PolicyDocument: policy([allow(["sqs:SendMessage"], [arnOf(queueId(TIMERS))])]),
        },
      ],
    },
  },
  [HEARTBEAT_QUEUE]: {
    Type: "AWS::SQS::Queue",
    Properties: {
      QueueName: `${PREFIX}heartbeat`,
      // Nobody receives: what is sent is counted, and gone.
      MessageRetentionPeriod: 60,
      ...queueEncryption,
    },
  },
  [ALARM_TOPIC]: {
    Type: "AWS::SNS::Topic",
    Properties: { TopicName: `${PREFIX}alarms`, KmsMasterKeyId: whereGiven("kmsKey", kmsKey) },
  },
};

/** ARN pattern of the schedules of distant timers: their names follow from keys, and no key is known beforehand. */
export const schedules = sub(
  `arn:\${AWS::Partition}:scheduler:\${AWS::Region}:\${AWS::AccountId}:schedule/${PREFIX}timers/*`,
);
