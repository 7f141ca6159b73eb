import { setFlagsFromString } from "node:v8";

/**
 * Keeps the young generation of the heap small: V8 would let it grow to 48 MiB under a burst and never give that back, a quarter of what
 * `dev` may take. Measured: 50 MiB less after the samples, no difference in how fast they settle.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--max-semi-space-size=2");
  setFlagsFromString("--semi-space-growth-factor=1");
}

/**
 * For processes that mostly sleep: V8 collects more often and keeps less room and less code. Measured on a watcher and a worker
 * at rest: 30 MiB less. Must come before the modules that it is about.
 */
export function keepProcessSmall(): void {
  keepHeapSmall();
  setFlagsFromString("--optimize-for-size");
}
