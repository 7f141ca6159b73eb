import type { EffectPlan } from "../function/effects.ts";
import { subjectOf } from "../function/key.ts";
import type { KubeClient } from "../kube/client.ts";
import { resourceOf } from "../kube/kind.ts";
import { type KubeObject, parseApiVersion } from "../kube/object.ts";
import { type FormerOwnerError, StaleError } from "./errors.ts";
import type { Recorder } from "./recorder.ts";
import { idOf, type Right } from "./rights.ts";

export interface FormerParts {
  readonly client: KubeClient;
  /** The rights that the function declared, by `<group>/<kind>`. */
  readonly rights: ReadonlyMap<string, Right>;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

/**
 * Deletes the child of an owner that bore our owner's name before: what garbage collection would do, whenever it comes to it.
 * Resolves to undefined once it is gone. Throws the `refusal` where the function may not delete it, or something keeps it from going,
 * and a `StaleError` where the owner that was read is itself the former one.
 */
export async function removeFormers(
  { kind, owner }: Pick<Extract<EffectPlan, { effect: "apply" }>, "kind" | "owner">,
  live: KubeObject,
  refusal: FormerOwnerError,
  { client, rights, recorder, signal }: FormerParts,
): Promise<undefined> {
  const owners = owner && rights.get(`${parseApiVersion(owner.apiVersion).group}/${owner.kind}`);
  if (
    owner === undefined ||
    owners?.verbs.has("get") !== true ||
    rights.get(idOf(kind))?.verbs.has("delete") !== true ||
    live.metadata.deletionTimestamp !== undefined
  )
    throw refusal;
  // Of two owners of one name, the one that is there now is the later.
  const now = await client.get(resourceOf(owners.kind), owner.metadata, { signal });
  if (now?.metadata.uid !== owner.metadata.uid)
    throw new StaleError(`${owner.kind} ${owner.metadata.name} was deleted, and perhaps made again.`);
  const { uid, resourceVersion } = live.metadata;
  const left = await client.delete(resourceOf(kind), live.metadata, {
    uid,
    resourceVersion,
    propagationPolicy: "Background",
    signal,
  });
  recorder.wrote(
    { verb: "remove", subject: subjectOf(kind, live.metadata), uid, resourceVersion, paths: [], sent: true },
    false,
  );
  if (left !== undefined) throw refusal;
}
