import { timeOf } from "../../../shared/clock/time.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
/** The epoch began on a Thursday. */
const DAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"] as const;
type Day = (typeof DAYS)[number];

/** The maintenance windows of the scenarios, by the region of a runtime. */
export interface PlayedMaintenance {
  /** `closed`: an hour a day, half a day from the start on. `weekend`: from Saturday 23:00 to Sunday 02:00. */
  readonly policy: object;
  /** The minutes until the window of the region `closed` opens next. */
  opensIn(): number;
  /** The minutes until that time of day comes next, in UTC. */
  until(day: Day, time: string): number;
}

export function playedMaintenance(now: () => number): PlayedMaintenance {
  const daily = (now() + DAY / 2) % DAY;
  const ahead = (due: number, period: number): number =>
    ((due - (now() % period) + period) % period) / MINUTE;
  return {
    policy: {
      rules: [
        {
          match: { region: "closed" },
          windows: [{ days: DAYS, begin: timeOfDay(daily), end: timeOfDay(daily + 60 * MINUTE) }],
        },
        {
          match: { region: "weekend" },
          windows: [{ days: ["Sat"], begin: "23:00:00Z", end: "02:00:00Z" }],
        },
      ],
    },
    opensIn: () => ahead(daily, DAY),
    until: (day, time) => {
      const [hour = 0, minute = 0] = time.split(":").map(Number);
      return ahead(DAYS.indexOf(day) * DAY + (hour * 60 + minute) * MINUTE, WEEK);
    },
  };
}

const timeOfDay = (milliseconds: number): string => `${timeOf(milliseconds % DAY).slice(11, 19)}Z`;
