import type { EffectError } from "../../../../shared/function/index.ts";

/** A refusal of an object, as its entry in the record tells it. */
export interface Refusal {
  readonly error: string;
  /** True: the same apply may succeed later, without anybody changing anything. */
  readonly mayPass: boolean;
  /** True: its kind is not there yet, and is waited for. */
  readonly kindMissing: boolean;
  /** True: a field of it can never be changed. */
  readonly isFixed: boolean;
}

/** The words in which API servers and webhooks say that a field never changes. */
const FIXED =
  /immutable|(cannot|can't|may not|must not) (be )?(change|modif|update)|updates? to .* (is|are) forbidden/i;

/** The advice where a right is missing: who grants it at home, and who in a workload cluster. */
const GRANTS = {
  home: "the resource is named under kinds of the configuration, and reveille rbac prints the role",
  workload: "the workload cluster gives it to the account of its kubeconfig",
} as const;

/** The refusal in words: what would be needed, where that is known. */
export function refusalOf(
  { code, message, retryable, status }: EffectError,
  place: keyof typeof GRANTS = "home",
): Refusal {
  const kindMissing = code === "KUBE_KIND_MISSING";
  const error =
    code === "KUBE_FORBIDDEN" || status === 403
      ? `${message} Grant that right: ${GRANTS[place]}.`
      : code === "KUBE_INVALID"
        ? `${message} It is not tried again by itself: such an object cannot be changed as its release wants.`
        : message;
  // Somebody may bring the namespace at any time, and one that goes is made anew.
  const isHomeless = code === "KUBE_MISSING" || code === "KUBE_TERMINATING";
  const isFixed = code === "KUBE_INVALID" && FIXED.test(message);
  return { error, mayPass: (retryable || isHomeless) && !kindMissing, kindMissing, isFixed };
}
