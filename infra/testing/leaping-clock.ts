import { type Clock, systemClock } from "../../shared/clock/clock.ts";

/** The machine's clock, with leaps into the future: for deadlines of minutes on a stack whose sockets and servers live in real time. */
export interface LeapingClock extends Clock {
  /** Moves the time on at once; what falls due meanwhile rings in its order. */
  leap(milliseconds: number): void;
  /** Nobody's patience ends during `act`: what is set for a quarter of a second or more rings by a leap alone meanwhile. */
  holding(act: () => Promise<void>): Promise<void>;
}

/** The shortest time that somebody waits for an answer: a tenth of the three seconds of a probe, less a little. */
const PATIENCE_MILLISECONDS = 250;

interface Alarm {
  readonly due: number;
  readonly isLong: boolean;
  readonly callback: () => void;
  cancel: () => void;
}

export function leapingClock(): LeapingClock {
  const alarms = new Set<Alarm>();
  let leapt = 0;
  let holds = 0;
  const now = (): number => systemClock.now() + leapt;
  const arm = (alarm: Alarm): void => {
    if (holds > 0 && alarm.isLong) return;
    alarm.cancel = systemClock.after(Math.max(0, alarm.due - now()), () => ring(alarm));
  };
  const ring = (alarm: Alarm): void => {
    alarm.cancel();
    if (alarms.delete(alarm)) alarm.callback();
  };
  const after = (milliseconds: number, callback: () => void): (() => void) => {
    const isLong = milliseconds >= PATIENCE_MILLISECONDS;
    const alarm: Alarm = { due: now() + milliseconds, isLong, callback, cancel: () => undefined };
    alarms.add(alarm);
    arm(alarm);
    return () => {
      alarms.delete(alarm);
      alarm.cancel();
    };
  };
  const rearm = (): void => {
    for (const alarm of alarms) {
      alarm.cancel();
      arm(alarm);
    }
  };
  return {
    now,
    after,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = (): void => {
          cancel();
          reject(signal?.reason);
        };
        const cancel = after(milliseconds, () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        });
        signal?.addEventListener("abort", stop, { once: true });
      }),
    leap(milliseconds) {
      leapt += milliseconds;
      const due = [...alarms].filter((alarm) => alarm.due <= now()).sort((one, other) => one.due - other.due);
      for (const alarm of due) ring(alarm);
      rearm();
    },
    async holding(act) {
      holds += 1;
      rearm();
      try {
        await act();
      } finally {
        holds -= 1;
        rearm();
      }
    },
  };
}
