/**
 * The meaning of an error for the update. `Fail`: it has failed. `FailAfterInterval`: it has, once this goes on for 40 minutes.
 * `None`: it is merely not there yet. `Report`: it goes on, and the error is told.
 */
export type UpdateEffect = "Fail" | "FailAfterInterval" | "None" | "Report";

/**
 * The reason why a task is not done, as the conditions of a ClusterVersion tell it. Plain data: it is kept in the work record.
 */
export interface UpdateError {
  readonly effect: UpdateEffect;
  /** One CamelCase word for programs. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
  /** The ClusterOperators or the workload that it is about, sorted. Empty where the reason names nobody. */
  readonly names: readonly string[];
  /** The single errors, of several that cannot be told as one. */
  readonly members?: readonly UpdateError[];
}

/** Names as messages list them. */
export const nameOf = ({ names }: UpdateError): string => names.join(", ");

/** The meaning of the API server's answer, by the codes of effect errors, `KUBE_…`. */
interface Answer {
  readonly reason: string;
  readonly cause: string;
}
const ANSWERS: Readonly<Record<string, Answer>> = {
  KUBE_MISSING: { reason: "UpdatePayloadResourceNotFound", cause: "resource may have been deleted" },
  KUBE_GONE: { reason: "UpdatePayloadResourceNotFound", cause: "resource may have been deleted" },
  KUBE_EXISTS: { reason: "UpdatePayloadResourceNotFound", cause: "resource may have been deleted" },
  KUBE_STALE: {
    reason: "UpdatePayloadResourceConflict",
    cause: "someone else is updating this resource",
  },
  KUBE_CONFLICT: {
    reason: "UpdatePayloadResourceConflict",
    cause: "someone else is updating this resource",
  },
  KUBE_UNAVAILABLE: {
    reason: "UpdatePayloadClusterDown",
    cause: "the server is down or not responding",
  },
  KUBE_ABORTED: { reason: "UpdatePayloadClusterDown", cause: "the server is down or not responding" },
  KUBE_INTERNAL: {
    reason: "UpdatePayloadClusterError",
    cause: "the server is reporting an internal error",
  },
  KUBE_INVALID: {
    reason: "UpdatePayloadResourceInvalid",
    cause: "the object is invalid, possibly due to local cluster configuration",
  },
  KUBE_UNAUTHORIZED: {
    reason: "UpdatePayloadClusterUnauthorized",
    cause: "could not authenticate to the server",
  },
  KUBE_FORBIDDEN: {
    reason: "UpdatePayloadResourceForbidden",
    cause: "the server has forbidden updates to this resource",
  },
  KUBE_TERMINATING: {
    reason: "UpdatePayloadResourceForbidden",
    cause: "the server has forbidden updates to this resource",
  },
  KUBE_THROTTLED: {
    reason: "UpdatePayloadClusterOverloaded",
    cause: "the server is overloaded and is not accepting updates",
  },
  KUBE_KIND_MISSING: {
    reason: "UpdatePayloadResourceTypeMissing",
    cause: "the server does not recognize this resource, check extension API servers",
  },
};

/**
 * The error that the API server's refusal makes of the task of that label: one without a meaning of its own. `status` is the HTTP
 * status, where there is one: the engine makes no difference between a server that is down and one that fails.
 */
export function refusedTask(label: string, code: string, status?: number): UpdateError {
  const answer = ANSWERS[code === "KUBE_UNAVAILABLE" && status === 500 ? "KUBE_INTERNAL" : code];
  return {
    effect: "Fail",
    reason: answer?.reason ?? "UpdatePayloadFailed",
    message: `Could not update ${label}${answer === undefined ? "" : `: ${answer.cause}`}`,
    names: [],
  };
}

const SHORT: Readonly<Record<string, string>> = {
  UpdatePayloadResourceNotFound: "some resources could not be updated",
  UpdatePayloadResourceConflict: "some resources could not be updated",
  UpdatePayloadClusterDown: "the control plane is down or not responding",
  UpdatePayloadClusterError: "the control plane is reporting an internal error",
  UpdatePayloadClusterUnauthorized: "could not authenticate to the server",
  UpdatePayloadClusterOverloaded: "the control plane is overloaded and is not accepting updates",
  UpdatePayloadRetrievalFailed: "could not download the update",
  UpdatePayloadResourceForbidden: "the server is rejecting updates",
  UpdatePayloadResourceTypeMissing: "a required extension is not available to update",
  UpdatePayloadResourceInvalid: "some cluster configuration is invalid",
  UpdatePayloadIntegrity: "the contents of the update are invalid",
  ImageVerificationFailed: "the image may not be safe to use",
  UpgradePreconditionCheckFailed: "it may not be safe to apply this update",
  ClusterOperatorsNotAvailable: "some cluster operators are not available",
};
const NAMED: Readonly<Record<string, { readonly one: string; readonly some: string; readonly is: string }>> =
  {
    ClusterOperatorDegraded: { one: "the cluster operator", some: "a cluster operator", is: "is degraded" },
    ClusterOperatorNotAvailable: {
      one: "the cluster operator",
      some: "a cluster operator",
      is: "is not available",
    },
    ClusterOperatorNoVersions: {
      one: "the cluster operator",
      some: "a cluster operator",
      is: "does not declare expected versions",
    },
    WorkloadNotAvailable: {
      one: "the workload",
      some: "a workload",
      is: "has not yet successfully rolled out",
    },
    WorkloadNotProgressing: { one: "the workload", some: "a workload", is: "cannot roll out" },
  };

/** The short phrase for a reason that Progressing uses. */
export function phraseOf(reason: string, name: string): string {
  const short = SHORT[reason];
  if (short !== undefined) return short;
  const named = NAMED[reason];
  if (named !== undefined)
    return name === "" ? `${named.some} ${named.is}` : `${named.one} ${name} ${named.is}`;
  if (reason.startsWith("UpdatePayload")) return "the update could not be applied";
  return name === "" ? `an unknown error has occurred: ${reason}` : `${name} has an unknown error: ${reason}`;
}
