import {
  type Effect,
  type EffectError,
  later,
  type Results,
  type Time,
} from "../../../../shared/function/index.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { goneWait, kindWait, namedOf, placeOf } from "./named.ts";
import type { Live, Report, Target, Waiting } from "./world.ts";

/** An object, and the effect that writes it. */
export interface Applied {
  readonly object: ApplicableObject;
  readonly effect: Effect<Target, Live>;
}

/** The time after which what a server or registry did not give is asked for again. */
export const RETRY = "30s";
/** The time after which what was refused is tried once more, although nobody changed anything. */
export const REFUSED = "5m";

/** The statuses of refusals that may pass, but not at once: a right that is missing, and what failed within the server, as a webhook that does not answer. */
const PASSING: readonly (number | undefined)[] = [403, 500];

/** True for what is refused: what is only away, busy, late or stale is tried again soon, without a word. */
export const isRefused = ({ status, retryable }: EffectError): boolean =>
  !retryable || PASSING.includes(status);

/** The deadline at which what was refused is tried once more, although nobody changed anything. */
export const triedAgain = (
  { retryable }: Pick<EffectError, "retryable">,
  now: Time,
): { readonly refused: Time } => ({
  refused: later(now, retryable ? RETRY : REFUSED),
});

/** The first failure of applies as the state that it gives the module; undefined where there is none. */
export function refusalOf(applied: readonly Applied[], results: Results, now: Time): Report | undefined {
  const failed = applied.flatMap(({ object, effect }) => {
    const result = results(effect);
    return result.state === "failed" ? [{ object, error: result.error }] : [];
  });
  if (failed.length === 0) return results.ok ? undefined : otherFailure(results, now);
  const worst = failed.find(({ object, error }) => !isAway(error) && absenceOf(object, error) === undefined);
  const away = failed.find(({ error }) => isAway(error));
  // It is no fault of the module: a state of Error would stay as long as its runtime is away.
  if (worst === undefined && away !== undefined)
    return {
      state: "Processing",
      message: away.error.message,
      wakeAt: { apply: later(now, RETRY) },
    };
  if (worst === undefined) {
    const waits = failed.flatMap(({ object, error }) => absenceOf(object, error) ?? []);
    return { state: "Processing", message: `waits for ${waits[0]?.for}`, waits };
  }
  const { object, error } = worst;
  return {
    state: "Error",
    message: `${object.kind} ${placeOf(namedOf(object))}: ${error.message}`,
    installation: false,
    wakeAt: { apply: later(now, error.retryable ? RETRY : REFUSED) },
    waits: failed.flatMap((one) => absenceOf(one.object, one.error) ?? []),
  };
}

/** True where the runtime went away meanwhile: nothing was refused. */
const isAway = ({ code }: EffectError): boolean => code === "CLUSTER_AWAY";

/** An object that was to go could not be deleted, or the Manifest not be annotated. */
const otherFailure = ({ failed: [first] }: Results, now: Time): Report => ({
  state: "Processing",
  message: first?.error.message ?? "",
  wakeAt: { apply: later(now, RETRY) },
});

/** The thing whose absence, or whose going, explains a refusal: it is waited for, and is no error. */
function absenceOf(object: ApplicableObject, { code }: EffectError): Waiting | undefined {
  if (code === "KUBE_KIND_MISSING") return kindWait(namedOf(object));
  const { namespace } = object.metadata;
  if (namespace === undefined) return undefined;
  const of = { apiVersion: "v1", kind: "Namespace", name: namespace };
  if (code === "KUBE_TERMINATING") return goneWait(of);
  return code === "KUBE_MISSING" ? { for: `the namespace ${namespace}`, of } : undefined;
}
