/** The part of a consumer's places that sweeps may take. */
const PART = 0.75;

/**
 * The number of sweeps that may run at once: while hundreds of them take their time, what users caused finds a place at once (B8).
 * A consumer of few places keeps none back.
 * @param parallel the keys that it runs at once
 */
export const sweepPlaces = (parallel: number): number => Math.ceil(parallel * PART);
