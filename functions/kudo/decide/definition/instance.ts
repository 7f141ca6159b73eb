import type {
  ExecutionStatus,
  InstanceSpec,
  InstanceStatus,
  ObjectReference,
  PlanStatus,
} from "../../kinds/index.ts";

/** The part of an Instance that is decided by. */
export interface InstanceView {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string | undefined;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: InstanceSpec | undefined;
  readonly status?: InstanceStatus | undefined;
}

/** The plan that is to run, or runs: while there is one, no other begins. */
export interface Lock {
  readonly plan: string;
  /** Empty where whoever asked for the plan gave none. */
  readonly uid: string;
  readonly status: ExecutionStatus | undefined;
  readonly force: boolean;
}

/** The lock in a spec, or undefined where the Instance is idle. */
export function lockOf(spec: InstanceSpec | undefined): Lock | undefined {
  const { planName = "", uid = "", status, force } = spec?.planExecution ?? {};
  if (planName === "") return undefined;
  return { plan: planName, uid, status: status === "" ? undefined : status, force: force === true };
}

/** True while it runs, or is about to. */
export const isRunning = (status: ExecutionStatus | undefined): boolean =>
  status === "PENDING" || status === "IN_PROGRESS" || status === "ERROR";
/** True where it came to an end, good or bad. */
export const isTerminal = (status: ExecutionStatus | undefined): boolean =>
  status === "COMPLETE" || status === "FATAL_ERROR";

/** The last run of a plan, as its status tells. */
export function entryOf(status: InstanceStatus | undefined, plan: string): PlanStatus | undefined {
  const all = status?.planStatus ?? {};
  return Object.hasOwn(all, plan) ? all[plan] : undefined;
}

/** The name of an OperatorVersion with its namespace, as an Instance in that namespace refers to it. */
export const versionKey = (reference: ObjectReference | undefined, namespace: string): string =>
  `${reference?.namespace || namespace}/${reference?.name ?? ""}`;

/** True where both name the same OperatorVersion, for an Instance in that namespace. */
export const sameVersion = (
  one: ObjectReference | undefined,
  other: ObjectReference | undefined,
  namespace: string,
): boolean => versionKey(one, namespace) === versionKey(other, namespace);
