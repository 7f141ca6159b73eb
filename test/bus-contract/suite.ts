import { describe, type TestContext, test } from "node:test";
import type { Bus } from "../../shared/bus/contract.ts";
import { manualClock, type SettlingClock } from "../../shared/clock/manual.ts";
import { deadLetterPromises } from "./dead-letters.ts";
import { deliveryPromises } from "./delivery.ts";
import { durabilityPromises } from "./durability.ts";
import { type BusUnderTest, Hands, type MakeBus, route } from "./fixture.ts";
import { historyPromises } from "./history.ts";
import { interleavings } from "./interleavings.ts";
import { timerPromises } from "./timers.ts";

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

/** The promises B1 to B12 of the design, for one adapter. */
export function busContract(name: string, makeBus: MakeBus): void {
  const stage = async (): Promise<Stage> => {
    const clock = manualClock();
    const history = { maximumAgeMilliseconds: 24 * 3_600_000, maximumRuns: RUNS };
    const under = await makeBus({ clock, route, retry: RETRY, leaseMilliseconds: LEASE, history });
    return {
      clock,
      under,
      bus: under.bus,
      hands: (options, bus = under.bus) => new Hands(bus, clock, options),
    };
  };
  const prove: Prove = (promise, body) =>
    void test(promise, async (context) => {
      const on = await stage();
      try {
        await body(on, context);
      } finally {
        await on.bus.close();
      }
    });
  describe(`bus contract: ${name}`, () => {
    deliveryPromises(prove);
    durabilityPromises(prove);
    deadLetterPromises(prove);
    timerPromises(prove);
    historyPromises(prove);
    interleavings(name, stage);
  });
}
