import { ReveilleError } from "../../../shared/errors.ts";

/** The name of the stack, with which every other name begins. */
const SERVICE = "reveille";
/** Before the name of each resource; the stage is the deployment's. */
export const PREFIX = `${SERVICE}-\${sls:stage}-`;
/** The longest name of a stage, so that every other name fits. */
export const LONGEST_STAGE = 8;
/** AWS's limits. */
const LONGEST = { lambda: 64, queue: 80 } as const;

/** A declaration that AWS cannot take. */
class AwsNameError extends ReveilleError {}

/** The Lambda that enqueues what is due. */
export const TIMERS = "timers";

/** Throws where a function's name is taken, or too long for AWS with a stage of eight letters. */
export function checkName(name: string): void {
  if (name === TIMERS)
    throw new AwsNameError(
      "AWS_NAME_TAKEN",
      `On AWS no function may be called ${name}, as the Lambda of the timers is: choose another name.`,
    );
  const before = SERVICE.length + LONGEST_STAGE + 2;
  const most = Math.min(LONGEST.lambda, LONGEST.queue - ".fifo".length - "_dead".length) - before;
  if (name.length > most)
    throw new AwsNameError(
      "AWS_NAME_TOO_LONG",
      `The function ${name} has a name of ${name.length} letters; on AWS it may have ${most}: choose a shorter one.`,
    );
}

/** The first part of logical ids, as osls makes them of a function's name. */
function logicalId(name: string): string {
  const text = name.replaceAll("-", "Dash").replaceAll("_", "Underscore");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export const lambdaId = (name: string): string => `${logicalId(name)}LambdaFunction`;
export const logGroupId = (name: string): string => `${logicalId(name)}LogGroup`;
export const roleId = (name: string): string => `${logicalId(name)}Role`;
export const queueId = (name: string): string => `${logicalId(name)}Queue`;
export const deadQueueId = (name: string): string => `${logicalId(name)}DeadQueue`;
