import type { Clock } from "../../shared/clock/clock.ts";
import { ManualClock } from "./manual-clock.ts";

/** A clock that a test moves by hand, and that waits for what its alarms began. */
export interface SettlingClock extends Clock {
  /** Moves the time on, rings the alarms that fall due in their order, and lets promises settle after each. */
  advance(milliseconds: number): Promise<void>;
  /** Moves the time on as over the sleep of a machine: timers stood still meanwhile. */
  jump(milliseconds: number): void;
  /** Lets promises settle; the time stands still. */
  settle(): Promise<void>;
  /** The number of sleeps and callbacks that are set. */
  readonly alarms: number;
}

/** The number of rounds of the event loop before promises count as settled: enough for chains of immediates. */
const ROUNDS = 5;
const settleInProcess = async (): Promise<void> => {
  for (let round = 0; round < ROUNDS; round++) await new Promise<void>((resolve) => setImmediate(resolve));
};

/**
 * A clock that begins at `start` (milliseconds since the epoch) and stands still until it is advanced.
 * @param settleAt waits until all comes to rest at a time, where more than promises has to
 */
export function manualClock(
  start = Date.UTC(2026, 0, 15, 10),
  settleAt: (now: number) => Promise<void> = settleInProcess,
): SettlingClock {
  const clock = new ManualClock(start);
  let slept = 0;
  const now = (): number => clock.now() + slept;
  const settle = (): Promise<void> => settleAt(now());
  return {
    now,
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    settle,
    jump: (milliseconds) => {
      slept += milliseconds;
    },
    async advance(milliseconds) {
      const end = clock.now() + milliseconds;
      await settle();
      for (let next = clock.next; next !== undefined && next <= end; next = clock.next) {
        clock.advance(Math.max(0, next - clock.now()));
        await settle();
      }
      clock.advance(end - clock.now());
    },
    get alarms() {
      return clock.alarms;
    },
  };
}
