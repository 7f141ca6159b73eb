import { describe, test } from "vitest";
import { manualClock, type SettlingClock } from "../../infra/testing/settling-clock.ts";
import { deadLetterPromises } from "./dead-letters.ts";
import { deathPromises } from "./deaths.ts";
import { deliveryPromises } from "./delivery.ts";
import { durabilityPromises } from "./durability.ts";
import { Hands, type MakeBus, route } from "./fixture.ts";
import { historyPromises } from "./history.ts";
import { interleavings } from "./interleavings.ts";
import { parkingPromises } from "./parking.ts";
import { signaturePromises } from "./signatures.ts";
import { type Capabilities, everything, LEASE, type Prove, RETRY, RUNS, type Stage } from "./stage.ts";
import { timerPromises } from "./timers.ts";
import { waitPromises } from "./waits.ts";

/** How the suite fits an adapter that is not in this process. */
export interface Adaptation {
  /** How time passes and all comes to rest. Default: by hand, at once. */
  readonly clock?: () => SettlingClock;
  readonly can?: Partial<Capabilities>;
  /** How many random interleavings are tried. */
  readonly interleavings?: number;
}

/** The promises B1 to B12 of the design, for one adapter. */
export function busContract(name: string, makeBus: MakeBus, adaptation: Adaptation = {}): void {
  const can: Capabilities = { ...everything, ...adaptation.can };
  const stage = async (): Promise<Stage> => {
    const clock = (adaptation.clock ?? manualClock)();
    const history = { maximumAgeMilliseconds: 24 * 3_600_000, maximumRuns: RUNS };
    const under = await makeBus({ clock, route, retry: RETRY, leaseMilliseconds: LEASE, history });
    return {
      can,
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
    deathPromises(prove);
    parkingPromises(prove);
    signaturePromises(prove);
    timerPromises(prove);
    waitPromises(prove);
    historyPromises(prove);
    interleavings(stage, adaptation.interleavings ?? 100);
  });
}
