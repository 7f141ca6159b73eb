import type { TestContext } from "node:test";
import type { Bus } from "../../shared/bus/contract.ts";
import type { SettlingClock } from "../../shared/clock/manual.ts";
import type { BusUnderTest, Hands } from "./fixture.ts";

/** What each test of the suite stands on. */
export interface Stage {
  readonly clock: SettlingClock;
  readonly under: BusUnderTest;
  readonly bus: Bus;
  hands(options?: { readonly parallel?: number; readonly functions?: readonly string[] }, bus?: Bus): Hands;
}

/** Defines one test: `promise` names what it proves (B1 to B12). */
export type Prove = (promise: string, body: (stage: Stage, context: TestContext) => Promise<void>) => void;

export const LEASE = 30_000;
export const RETRY = {
  initialMilliseconds: 1_000,
  factor: 2,
  maximumMilliseconds: 10_000,
  maximumAttempts: 3,
  jitter: 0,
};
export const RUNS = 50;
