import { PermissionsBoundary } from "./choices.ts";
import { lambdaId, PREFIX } from "./names.ts";
import { allow, arnOf, policy, type Resources, ref, trust, variable } from "./template.ts";
import type { Unit } from "./units.ts";

const SWEEP_ROLE = "SweepRole";
/** The event that the schedule hands to a function: reconcile all your keys again, in the slow lane (infra/hosts/lambda). */
const SWEEP_EVENT = { reveille: "sweep" } as const;

/** A slow timer for each function, that repairs what was lost in spite of everything (rule 6). */
export function sweeps(units: readonly Unit[]): Resources {
  const functions = units.filter(({ sort }) => sort === "function");
  return {
    [SWEEP_ROLE]: {
      Type: "AWS::IAM::Role",
      Properties: {
        AssumeRolePolicyDocument: trust("scheduler.amazonaws.com", {
          Condition: { StringEquals: { "aws:SourceAccount": ref("AWS::AccountId") } },
        }),
        PermissionsBoundary,
        Policies: [
          {
            PolicyName: "sweep",
            PolicyDocument: policy([
              allow(
                ["lambda:InvokeFunction"],
                functions.map(({ name }) => arnOf(lambdaId(name))),
              ),
            ]),
          },
        ],
      },
    },
    ...Object.fromEntries(
      functions.map(({ name }) => [
        `${lambdaId(name).replace(/LambdaFunction$/, "")}Sweep`,
        {
          Type: "AWS::Scheduler::Schedule",
          Properties: {
            Name: `${PREFIX}${name}-sweep`,
            Description: `Resyncs all keys of ${name}, in the slow lane.`,
            ScheduleExpression: variable("param:sweep"),
            FlexibleTimeWindow: { Mode: "FLEXIBLE", MaximumWindowInMinutes: 60 },
            Target: {
              Arn: arnOf(lambdaId(name)),
              RoleArn: arnOf(SWEEP_ROLE),
              Input: JSON.stringify(SWEEP_EVENT),
              RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 3600 },
            },
          },
        },
      ]),
    ),
  };
}
