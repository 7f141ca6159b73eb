import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { maintenanceAt, readMaintenancePolicy, runtimeOf } from "./index.ts";

const DAY = 86_400_000;
const MINIMUM = 20 * 60_000;
const NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
interface Written {
  readonly days?: readonly string[];
  readonly begin: string;
  readonly end: string;
}

/** The window that lifecycle-manager finds, told from its behaviour: the first of the list that has not passed, from today on, in UTC's days. */
function upstreams(
  now: number,
  windows: readonly Written[],
): { readonly begin: number; readonly end: number } | undefined {
  const today = new Date(now).toISOString().slice(0, 10);
  for (const { days, begin, end } of windows) {
    const at = (text: string): number => Date.parse(days === undefined ? text : `${today}T${text}`);
    let [from, to] = [at(begin), at(end)];
    if (days !== undefined && to <= from) to += DAY;
    const ahead = /([+-])(\d\d):(\d\d)$/.exec(begin) ?? ["", "+", "0", "0"];
    const offset = Number(`${ahead[1]}1`) * (Number(ahead[2]) * 60 + Number(ahead[3])) * 60_000;
    for (let day = 0; day < (days === undefined ? 1 : 8); day++, from += DAY, to += DAY) {
      const name = NAMES[new Date(from + offset).getUTCDay()] ?? "";
      if ((days === undefined || days.includes(name)) && now + MINIMUM < to) return { begin: from, end: to };
    }
  }
  return undefined;
}
/** `open`, `closed until DAY TIME` or `none`, in February 2026, whose first is a Sunday. */
const saidAt = (now: number, found: { readonly begin: number; readonly end: number } | undefined): string => {
  if (found === undefined) return "none";
  if (found.begin < now && now < found.end) return "open";
  return `closed until ${new Date(found.begin).toISOString().slice(5, 16)}`;
};
function oursAt(now: number, windows: readonly Written[]): string {
  const policy = readMaintenancePolicy(JSON.stringify({ rules: [{ match: { plan: "aws" }, windows }] }));
  assert.ok("rules" in policy, JSON.stringify(policy));
  const it = maintenanceAt(
    new Date(now).toISOString(),
    policy,
    runtimeOf({ "kyma-project.io/broker-plan-name": "aws" }),
  );
  return it.state === "none" ? "none" : saidAt(now, { begin: Date.parse(it.begin), end: Date.parse(it.end) });
}

const SATURDAY = { days: ["Sat"], begin: "22:00:00Z", end: "02:00:00Z" };
const WEDNESDAY = { days: ["Wed"], begin: "10:00:00Z", end: "14:00:00Z" };
const ONCE = { begin: "2026-02-05T20:00:00Z", end: "2026-02-05T23:00:00Z" };
// Their ends are the next time that it is so late there: eleven and twenty-one hours later.
const FAR_EAST = { days: ["Mon"], begin: "22:00:00-08:00", end: "02:00:00+09:00" };
const FAR_WEST = { days: ["Mon"], begin: "01:00:00+12:00", end: "23:00:00-11:00" };

const DIFFERENCES: readonly (readonly [
  why: string,
  now: string,
  windows: readonly Written[],
  ours: string,
  upstreams: string,
])[] = [
  [
    "a weekly window leaves those behind it in the list alive",
    "2026-02-04T11:00:00Z",
    [SATURDAY, WEDNESDAY],
    "open",
    "closed until 02-07T22:00",
  ],
  [
    "the one that opens next is waited for, and not the first of the list",
    "2026-02-03T11:00:00Z",
    [SATURDAY, WEDNESDAY],
    "closed until 02-04T10:00",
    "closed until 02-07T22:00",
  ],
  [
    "one that comes once comes first where it is sooner",
    "2026-02-03T11:00:00Z",
    [SATURDAY, ONCE],
    "closed until 02-05T20:00",
    "closed until 02-07T22:00",
  ],
  [
    "one that began yesterday is open after midnight",
    "2026-02-08T00:30:00Z",
    [SATURDAY],
    "open",
    "closed until 02-14T22:00",
  ],
  [
    "far behind UTC it began yesterday though it is the same day there",
    "2026-02-10T07:00:00Z",
    [{ days: ["Mon"], begin: "22:00:00-08:00", end: "02:00:00-08:00" }],
    "open",
    "closed until 02-17T06:00",
  ],
  [
    "an end that is still before the beginning a day later is that of the day after: upstream's window is never open",
    "2026-02-10T12:00:00Z",
    [FAR_EAST],
    "open",
    "closed until 02-17T06:00",
  ],
  ["no window is longer than a day", "2026-02-09T12:00:00Z", [FAR_WEST], "closed until 02-15T13:00", "open"],
  [
    "twenty minutes that are left are enough",
    "2026-02-04T13:40:00Z",
    [WEDNESDAY],
    "open",
    "closed until 02-11T10:00",
  ],
];

describe("maintenance windows beside lifecycle-manager's", () => {
  for (const [why, now, windows, ours, theirs] of DIFFERENCES)
    test(`${why}: at ${now} ${ours}`, () => {
      assert.deepEqual(
        [oursAt(Date.parse(now), windows), saidAt(Date.parse(now), upstreams(Date.parse(now), windows))],
        [ours, theirs],
      );
    });

  test("are the same for one window within a day of UTC, at each hour of two weeks", () => {
    const windows: readonly Written[] = [
      WEDNESDAY,
      { days: ["Mon", "Thu", "Sun"], begin: "01:00:00Z", end: "05:00:00Z" },
      { days: ["Tue"], begin: "09:00:00+02:00", end: "12:00:00+01:00" },
      { days: ["Fri"], begin: "07:00:00-05:00", end: "11:00:00-05:00" },
      ONCE,
    ];
    for (const one of windows)
      for (let hour = 0; hour < 14 * 24; hour++) {
        const now = Date.parse("2026-02-01T00:30:00Z") + hour * 3_600_000;
        assert.equal(
          oursAt(now, [one]),
          saidAt(now, upstreams(now, [one])),
          `${JSON.stringify(one)} ${new Date(now).toISOString()}`,
        );
      }
  });
});
