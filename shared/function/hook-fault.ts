import { DISCOVERY_PATH, type HookDeclaration } from "./hook-declaration.ts";

/** The longest time that Cluster API waits for a hook. */
const LONGEST_SECONDS = 30;
/** The paths of others on the same listener. */
const TAKEN = /^\/(events|triggers|functions)(\/|$)/;

/** The first fault of a hook's declaration, as a sentence; undefined where there is none. */
export function hookFault(hook: HookDeclaration): string | undefined {
  const { path, reads, writes, store, storesNothing, timeoutSeconds, requestHook } = hook;
  if (storesNothing !== undefined && (store !== undefined || writes.length > 0))
    return "it says that it stores nothing, and stores: leave storesNothing out, or writes and store.";
  if (storesNothing?.trim() === "") return "it stores nothing of what it is told: say why (storesNothing).";
  if (storesNothing === undefined && store === undefined)
    return "it would answer without having stored that it was asked: add writes and store, or say why nothing needs to be stored (storesNothing).";
  if (store !== undefined && writes.length === 0)
    return "it stores, and names no kind that it writes: add writes.";
  const slot = [...reads, ...writes].find(({ dynamic }) => dynamic);
  if (slot !== undefined) return `${slot.id} is a slot: a hook reads and writes kinds.`;
  const elsewhere = [...reads, ...writes].find(({ clusters }) => clusters !== undefined);
  if (elsewhere !== undefined)
    return `${elsewhere.id} lies in other clusters: an answer does not wait for these.`;
  if (!Number.isInteger(timeoutSeconds) || timeoutSeconds < 1 || timeoutSeconds > LONGEST_SECONDS)
    return `nobody waits ${timeoutSeconds} s for it: give timeoutSeconds from 1 to ${LONGEST_SECONDS}.`;
  if (requestHook !== undefined && !/^[a-z0-9.-]+\/v[a-z0-9]+$/.test(requestHook.apiVersion))
    return `its requestHook's apiVersion "${requestHook.apiVersion}" is none: write hooks.runtime.cluster.x-k8s.io/v1alpha1.`;
  if (requestHook !== undefined && !/^[A-Z][A-Za-z]*$/.test(requestHook.hook))
    return `its requestHook "${requestHook.hook}" is none: write it as BeforeClusterUpgrade.`;
  if (!/^(\/[A-Za-z0-9._-]+)+$/.test(path) || TAKEN.test(path) || path === DISCOVERY_PATH)
    return `its path "${path}" is none, or another's: write it as /hooks/may-go.`;
  return undefined;
}
