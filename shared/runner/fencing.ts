import { keepsOf } from "../kube/apply/keeps.ts";
import { type PrepareOptions, prepareApply } from "../kube/apply/prepare.ts";
import { KubeError } from "../kube/errors.ts";
import type { Kind } from "../kube/kind.ts";
import { type KubeObject, parseApiVersion } from "../kube/object.ts";
import { CrdLacksFieldsError, StaleError } from "./errors.ts";

/** A change of an object that was read and is gone rests on what is no longer so. */
export async function orStale(sent: Promise<KubeObject>): Promise<KubeObject> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof KubeError) || error.kind !== "missing") throw error;
    throw new StaleError(error.message, error);
  }
}

/** Fields of which so many are named; the others are missing as well. */
const NAMED = 10;

/**
 * An apply of fields that a CRD of ours does not declare is refused, and that is no fault of the object: an older CRD is installed, or
 * the server has not taken up the newer one yet.
 */
export async function declared(kind: Kind, sent: Promise<KubeObject>): Promise<KubeObject> {
  try {
    return await sent;
  } catch (error) {
    if (kind.external || !(error instanceof KubeError) || error.kind !== "invalid") throw error;
    const fields = [...error.sentence.matchAll(/(\.[^\s:]+): field not declared in schema/g)].map(
      ([, field = ""]) => field,
    );
    if (fields.length === 0) throw error;
    throw new CrdLacksFieldsError(
      `${kind.plural}.${kind.group}`,
      [...new Set(fields)].sort().slice(0, NAMED),
      error,
    );
  }
}

/** True where somebody's CRD brings the kind. */
export const isCustom = (kind: Pick<Kind, "group">): boolean =>
  kind.group.includes(".") && !kind.group.endsWith(".k8s.io");
/** The options that prepare a body of the kind for its apply. */
export const preparing = (kind: Kind): PrepareOptions => ({
  custom: isCustom(kind),
  asSaid: kind.dynamic,
  keeps: keepsOf(kind),
});

/**
 * In the version in which it was read, and equal quantities in the live spelling, so that the apply takes nothing from its co-owners.
 * A custom resource has none.
 */
export function spelled(desired: KubeObject, live: KubeObject | undefined): KubeObject {
  if (live === undefined) return desired;
  if (isCustom(parseApiVersion(desired.apiVersion))) return { ...desired, apiVersion: live.apiVersion };
  return prepareApply(desired, { custom: false, live });
}

/** The place of the object, and nothing else of it. */
export const place = ({
  metadata: { name, namespace },
}: KubeObject): { name: string; namespace?: string } => ({
  name,
  ...(namespace !== undefined && { namespace }),
});

/** A version that no object has: the server ignores it where it creates, and answers 409 where somebody was faster. */
export const NO_VERSION = "1";

/**
 * The apply succeeds only on the state that it rests on: for an object that is absent, on `NO_VERSION`.
 */
export const fence = (desired: KubeObject, live: KubeObject | undefined): KubeObject => ({
  ...desired,
  metadata: {
    ...desired.metadata,
    ...(live === undefined
      ? { resourceVersion: NO_VERSION }
      : { uid: live.metadata.uid, resourceVersion: live.metadata.resourceVersion }),
  },
});

/** Refuses a status of an older generation than the one that stands there. Throws a `StaleError`. */
export function refuseOlderGeneration(kind: Kind, live: KubeObject, status: unknown): void {
  const observed = (of: unknown): number => {
    const value = (of as { observedGeneration?: unknown } | undefined)?.observedGeneration;
    return typeof value === "number" ? value : 0;
  };
  const next = (status as { observedGeneration?: unknown } | undefined)?.observedGeneration;
  if (typeof next === "number" && next < observed(live.status))
    throw new StaleError(
      `The status of ${kind.kind} ${live.metadata.name} already observed generation ${observed(live.status)}; ${next} is older.`,
    );
}
