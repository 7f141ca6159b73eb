import type { Lease } from "../bus/contract.ts";

/** Calls the listener once the lease is lost. Not AbortSignal.any, which takes longer than a run's decision. */
export function onLost(lease: Lease, listener: (reason: unknown) => void): () => void {
  if (lease.onLost !== undefined) return lease.onLost(listener);
  const { signal } = lease;
  const lost = (): void => listener(signal.reason);
  if (signal.aborted) lost();
  else signal.addEventListener("abort", lost, { once: true });
  return () => signal.removeEventListener("abort", lost);
}
