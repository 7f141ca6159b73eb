import { milliseconds } from "../../../../shared/clock/time.ts";
import { type Duration, later, since, type Time } from "../../../../shared/function/index.ts";
import type { ClusterOperatorDependency } from "../../kinds/cluster-operator-dependency.ts";
import type { ConditionVerdict } from "../../status/index.ts";
import { type Condition, isTrue, setCondition, statusOf } from "../../status/index.ts";
import type { Dependency, Operator } from "./dependency.ts";
import type { PayloadOrder } from "./order.ts";
import { type Readiness, readiness } from "./readiness.ts";
import { type Registration, register } from "./registration.ts";

/** The status of a dependency. */
export type DependencyStatus = NonNullable<ClusterOperatorDependency["status"]>;

/** A dependency as it was read. */
export interface Declared {
  readonly spec: Dependency;
  readonly generation: number;
  readonly status?: DependencyStatus | undefined;
}

export interface Evaluation {
  readonly status: DependencyStatus;
  /** The time to look again although nothing happens. */
  readonly wakeAt?: Time;
  /** Look again at once: what stands now is only a step. */
  readonly again: boolean;
}

/**
 * The status that a dependency must have now. Ready turns True at once. It turns False at once where the operator is gone or the
 * dependency is another one, else when it has not been met for `settle`: a status that somebody overwrote and its owner put
 * right again tells nobody anything. An operator that was made anew begins as Unknown.
 */
export function evaluate(
  { spec, generation, status }: Declared,
  operator: Operator | undefined,
  registration: Registration,
  settle: Duration,
  now: Time,
): Evaluation {
  const same = status?.observedGeneration === generation;
  const before = same ? statusOf(status?.conditions, "Ready") : undefined;
  const uid = operator?.metadata.uid;
  const tell = (
    ready: "True" | "False" | "Unknown",
    { reason, message }: Omit<Readiness, "ready">,
  ): Evaluation => {
    const kept =
      before === ready && status?.operatorUID === uid ? status?.operatorResourceVersion : undefined;
    return {
      again: ready === "Unknown",
      status: {
        observedGeneration: generation,
        ...(operator !== undefined && {
          operatorUID: uid,
          operatorResourceVersion: kept ?? operator.metadata.resourceVersion,
        }),
        conditions: conditionsOf(
          status,
          registration,
          { type: "Ready", status: ready, reason, message },
          now,
        ),
      },
    };
  };
  const found = readiness(spec, operator);
  if (!registration.accepted) return tell("False", registration);
  const recreated = before === "True" && operator !== undefined && status?.operatorUID !== uid;
  if (recreated)
    return tell("Unknown", {
      reason: "OperatorRecreated",
      message: `Cluster operator ${spec.operator} was deleted and made anew`,
    });
  if (found.ready) return tell("True", found);
  if (before !== "True" || operator === undefined) return tell("False", found);
  const doubtfulSince = status?.doubtfulSince ?? now;
  if (since(doubtfulSince, now) >= milliseconds(settle)) return tell("False", found);
  // `seconds` would make the wait up to a second shorter, and a time that has passed is refused.
  const { status: held } = tell("True", readyAsStored(status));
  return { status: { ...held, doubtfulSince }, wakeAt: later(doubtfulSince, settle), again: false };
}

const readyAsStored = (status: DependencyStatus | undefined): Omit<Readiness, "ready"> => {
  const stored = status?.conditions?.find(({ type }) => type === "Ready");
  return { reason: stored?.reason ?? "Ready", message: stored?.message ?? "" };
};

function conditionsOf(
  status: DependencyStatus | undefined,
  registration: Registration,
  ready: ConditionVerdict<"Ready">,
  now: Time,
): Condition<"Accepted" | "Ready">[] {
  const accepted: ConditionVerdict<"Accepted"> = registration.accepted
    ? { type: "Accepted", status: "True", reason: "Accepted", message: "It can be met" }
    : { type: "Accepted", status: "False", reason: registration.reason, message: registration.message };
  const first = setCondition<Condition<"Accepted" | "Ready">>(status?.conditions, accepted, now);
  return [...setCondition(first, ready, now)];
}

/** A dependency as a function sees it. */
export interface DependencyObject {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: Dependency;
  readonly status?: DependencyStatus | undefined;
}

const isAccepted = ({ metadata, status }: DependencyObject): boolean =>
  status?.observedGeneration === metadata.generation && isTrue(status.conditions, "Accepted");

/**
 * All dependencies, given oldest first, with the status that each must have, and when to look again for which of them. `again`: one of
 * them has only made a step.
 */
export function evaluateAll<D extends DependencyObject>(
  dependencies: readonly D[],
  operators: readonly Operator[],
  order: PayloadOrder,
  settle: Duration,
  now: Time,
): {
  readonly statuses: readonly { readonly of: D; readonly status: DependencyStatus }[];
  readonly wakeAt: Readonly<Record<string, Time>>;
  readonly again: boolean;
} {
  const byName = new Map(operators.map((operator) => [operator.metadata.name, operator]));
  // Times of the API are whole seconds: of two in one second, the one that was accepted stays so.
  const judged = [...dependencies.filter(isAccepted), ...dependencies.filter((one) => !isAccepted(one))];
  const registrations = register(
    judged.map(({ spec }) => spec),
    order,
    (dependency) => readiness(dependency, byName.get(dependency.operator)).ready,
  );
  const found = judged.map((of, index) => {
    const { metadata, spec, status } = of;
    const registration = registrations[index] ?? { accepted: true };
    const declared = { spec, generation: metadata.generation, status };
    return { of, ...evaluate(declared, byName.get(spec.operator), registration, settle, now) };
  });
  return {
    statuses: found.map(({ of, status }) => ({ of, status })),
    wakeAt: Object.fromEntries(
      found.flatMap(({ of, wakeAt }) =>
        wakeAt === undefined ? [] : [[`settle ${of.metadata.name}`, wakeAt]],
      ),
    ),
    again: found.some(({ again }) => again),
  };
}
