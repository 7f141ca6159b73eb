import { notFound, preconditionFailed } from "../api-error.ts";
import { erase, type Kernel, load, save, timestamp, type WriteRequest } from "../kernel.ts";
import type { ApiObject } from "../resource-type.ts";
import type { DeleteOptions } from "./delete-options.ts";
import { endsDeletion } from "./update.ts";

/** Deletes an object, or marks it as deleted where something keeps it. `gone` says which; `object` is its last state. */
export function remove(
  kernel: Kernel,
  request: WriteRequest,
  name: string,
  options: DeleteOptions,
): { readonly object: ApiObject; readonly gone: boolean } {
  const { type } = request;
  const live = load(kernel, type, request.namespace, name);
  if (live === undefined) throw notFound(type, name);
  requirePreconditions(request, live, options);
  const now = kernel.clock.now();
  const finalizers = finalizersAfter(live, options);
  const candidate: ApiObject = { ...live, metadata: { ...live.metadata } };
  if (finalizers.length > 0) candidate.metadata.finalizers = finalizers;
  else delete candidate.metadata.finalizers;
  const grace = type.strategy?.graceSeconds?.(live, options.gracePeriodSeconds) ?? 0;
  const already = live.metadata.deletionTimestamp !== undefined;
  if (!already || grace < (live.metadata.deletionGracePeriodSeconds ?? 0)) {
    candidate.metadata.deletionTimestamp = timestamp(now + grace * 1000);
    candidate.metadata.deletionGracePeriodSeconds = grace;
  }
  if (!already) type.strategy?.prepareForDelete?.(candidate, { now, user: request.user });
  const dryRun = request.dryRun || options.dryRun;
  if (endsDeletion(request, candidate)) {
    if (!dryRun) erase(kernel, type, live);
    // A kind with a time of grace is marked first, and shows it.
    const marked = type.strategy?.graceSeconds !== undefined && !already;
    if (marked && type.generation) candidate.metadata.generation = (live.metadata.generation ?? 0) + 1;
    return { object: marked ? candidate : live, gone: true };
  }
  const same =
    already &&
    finalizers.length === (live.metadata.finalizers?.length ?? 0) &&
    candidate.metadata.deletionTimestamp === live.metadata.deletionTimestamp;
  if (same) return { object: live, gone: false };
  if (!already && type.generation) candidate.metadata.generation = (live.metadata.generation ?? 0) + 1;
  return { object: dryRun ? candidate : save(kernel, type, candidate), gone: false };
}

function requirePreconditions(
  { type }: WriteRequest,
  { metadata }: ApiObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  if (uid !== undefined && uid !== metadata.uid) {
    throw preconditionFailed(
      type,
      metadata.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw preconditionFailed(
      type,
      metadata.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

const foreground = "foregroundDeletion";
const orphan = "orphan";

/** The policy stands in the object as a finalizer, for the garbage collector. */
function finalizersAfter({ metadata }: ApiObject, { propagationPolicy }: DeleteOptions): string[] {
  const before = metadata.finalizers ?? [];
  if (propagationPolicy === undefined) return [...before];
  const others = before.filter((name) => name !== foreground && name !== orphan);
  if (propagationPolicy === "Foreground") return [...others, foreground];
  return propagationPolicy === "Orphan" ? [...others, orphan] : others;
}
