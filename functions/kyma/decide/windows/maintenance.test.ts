import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { LABELS } from "../../kinds/index.ts";
import { maintenanceAt, readMaintenancePolicy, runtimeOf } from "./index.ts";

const policyOf = (written: unknown) => {
  const policy = readMaintenancePolicy(JSON.stringify(written));
  assert.ok("rules" in policy, JSON.stringify(policy));
  return policy;
};
const hour = (iso: string): string => iso.replace(/:00\.000Z$/, "").replace(/^2026-02-/, "");
const RUNTIME = runtimeOf({ [LABELS.plan]: "aws", [LABELS.region]: "eu-north-1" });
/** `open BEGIN END`, `closed BEGIN END` or `none`, as day of February 2026 and time. */
const stateAt = (now: string, written: unknown, runtime = RUNTIME): string => {
  const it = maintenanceAt(now, policyOf(written), runtime);
  return it.state === "none" ? "none" : `${it.state} ${hour(it.begin)} ${hour(it.end)}`;
};
const weekly = (days: readonly string[], begin: string, end: string) => ({ default: { days, begin, end } });

// In February 2026 the first is a Sunday.
type Row = readonly [now: string, window: unknown, state: string];
const SATURDAY_NIGHT = weekly(["Sat"], "23:00:00Z", "02:00:00Z");
const ALL_DAY = weekly(["Sun"], "00:00:00Z", "00:00:00Z");
const ELSEWHERE = weekly(["Mon"], "01:00:00+05:30", "04:00:00+05:30");
const FAR_BEHIND = weekly(["Mon"], "22:00:00-08:00", "02:00:00-08:00");
const TWO_OFFSETS = weekly(["Tue"], "23:00:00Z", "02:00:00+01:00");
const TOO_SHORT = weekly(["Wed"], "10:00:00Z", "10:20:00Z");
const SEVERAL = weekly(["Mon", "Thu"], "01:00:00Z", "03:00:00Z");
const ONCE = { default: { begin: "2026-02-10T22:00:00Z", end: "2026-02-11T02:00:00+01:00" } };
const WINDOWS: readonly Row[] = [
  ["2026-02-04T12:00:00Z", SATURDAY_NIGHT, "closed 07T23:00 08T02:00"],
  ["2026-02-07T22:59:59.999Z", SATURDAY_NIGHT, "closed 07T23:00 08T02:00"],
  ["2026-02-07T23:00:00Z", SATURDAY_NIGHT, "closed 07T23:00 08T02:00"],
  ["2026-02-07T23:00:00.001Z", SATURDAY_NIGHT, "open 07T23:00 08T02:00"],
  // It began yesterday.
  ["2026-02-08T00:30:00Z", SATURDAY_NIGHT, "open 07T23:00 08T02:00"],
  ["2026-02-08T01:40:00Z", SATURDAY_NIGHT, "open 07T23:00 08T02:00"],
  ["2026-02-08T01:40:00.001Z", SATURDAY_NIGHT, "closed 14T23:00 15T02:00"],
  ["2026-02-08T01:45:00Z", SATURDAY_NIGHT, "closed 14T23:00 15T02:00"],
  ["2026-02-08T02:00:00Z", SATURDAY_NIGHT, "closed 14T23:00 15T02:00"],
  // Equal times are a whole day.
  ["2026-02-08T12:00:00Z", ALL_DAY, "open 08T00:00 09T00:00"],
  ["2026-02-08T23:50:00Z", ALL_DAY, "closed 15T00:00 16T00:00"],
  ["2026-02-09T00:10:00Z", ALL_DAY, "closed 15T00:00 16T00:00"],
  // The day is that of the place where the time is.
  ["2026-02-08T18:00:00Z", ELSEWHERE, "closed 08T19:30 08T22:30"],
  ["2026-02-08T20:00:00Z", ELSEWHERE, "open 08T19:30 08T22:30"],
  ["2026-02-09T20:00:00Z", ELSEWHERE, "closed 15T19:30 15T22:30"],
  ["2026-02-10T07:00:00Z", FAR_BEHIND, "open 10T06:00 10T10:00"],
  ["2026-02-09T07:00:00Z", FAR_BEHIND, "closed 10T06:00 10T10:00"],
  ["2026-02-11T00:30:00Z", TWO_OFFSETS, "open 10T23:00 11T01:00"],
  ["2026-02-04T10:00:01Z", TOO_SHORT, "none"],
  // Each day counts by itself.
  ["2026-02-01T12:00:00Z", SEVERAL, "closed 02T01:00 02T03:00"],
  ["2026-02-02T12:00:00Z", SEVERAL, "closed 05T01:00 05T03:00"],
  ["2026-02-05T02:00:00Z", SEVERAL, "open 05T01:00 05T03:00"],
  // Absolute, however far ahead.
  ["2026-01-01T10:00:00Z", ONCE, "closed 10T22:00 11T01:00"],
  ["2026-02-04T10:00:00Z", ONCE, "closed 10T22:00 11T01:00"],
  ["2026-02-10T23:00:00Z", ONCE, "open 10T22:00 11T01:00"],
  ["2026-02-11T00:50:00Z", ONCE, "none"],
  ["2026-02-12T10:00:00Z", ONCE, "none"],
];

const on = (day: string) => ({ days: [day], begin: "01:00:00Z", end: "03:00:00Z" });
const rule = (match: object, ...windows: readonly object[]) => ({ match, windows });
const NOW = "2026-02-04T12:00:00Z";
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const RULES: readonly (readonly [title: string, written: unknown, state: string])[] = [
  [
    "the first that is met",
    { rules: [rule({ plan: "azure" }, on("Fri")), rule({ plan: "aws" }, on("Sat"))] },
    "closed 07T01:00 07T03:00",
  ],
  [
    "any pattern is enough",
    { rules: [rule({ plan: "azure", region: "eu-.*" }, on("Fri"))] },
    "closed 06T01:00 06T03:00",
  ],
  ["a pattern may be found inside", { rules: [rule({ plan: "w" }, on("Fri"))] }, "closed 06T01:00 06T03:00"],
  ["a pattern is of RE2", { rules: [rule({ plan: "(?i)^AWS$" }, on("Fri"))] }, "closed 06T01:00 06T03:00"],
  ["nothing is found in an empty value", { rules: [rule({ platformRegion: ".*" }, on("Fri"))] }, "none"],
  ["an empty pattern is none", { rules: [rule({ plan: "" }, on("Fri"))] }, "none"],
  [
    "no rule, a default",
    { rules: [rule({ plan: "azure" }, on("Fri"))], default: on("Sat") },
    "closed 07T01:00 07T03:00",
  ],
  ["no rule, no default", { rules: [rule({ plan: "azure" }, on("Fri"))] }, "none"],
  [
    "a rule goes before the default",
    { rules: [rule({ plan: "aws" }, on("Sat"))], default: on("Fri") },
    "closed 07T01:00 07T03:00",
  ],
  [
    "a rule that has no window left",
    { rules: [rule({ plan: "aws" })], default: on("Fri") },
    "closed 06T01:00 06T03:00",
  ],
  [
    "the window of a rule that comes first",
    { rules: [rule({ plan: "aws" }, on("Sat"), on("Fri"))] },
    "closed 06T01:00 06T03:00",
  ],
  ["a later rule is not asked", { rules: [rule({ plan: "aws" }), rule({ plan: "aws" }, on("Fri"))] }, "none"],
  [
    "the case of keys does not matter",
    {
      Rules: [{ Match: { PLAN: "aws" }, Windows: [{ Days: ["fri"], BEGIN: "01:00:00Z", End: "03:00:00Z" }] }],
    },
    "closed 06T01:00 06T03:00",
  ],
];

describe("the maintenance window of a runtime", () => {
  for (const [now, window, state] of WINDOWS)
    test(`${JSON.stringify(window)} at ${now}: ${state}`, () => assert.equal(stateAt(now, window), state));
  for (const [title, written, state] of RULES)
    test(`${title}: ${state}`, () => assert.equal(stateAt(NOW, written), state));

  for (const [index, day] of DAYS.entries())
    test(`${day} is known, from the day before to the next one`, () => {
      const on = (ahead: number): string => `2026-02-${String(1 + index + ahead).padStart(2, "0")}`;
      const window = weekly([day], "01:00:00Z", "03:00:00Z");
      const stated = (opens: number) => `closed ${on(opens).slice(8)}T01:00 ${on(opens).slice(8)}T03:00`;
      assert.equal(stateAt(`${on(0)}T00:00:00Z`, window), stated(0));
      assert.equal(stateAt(`${on(0)}T03:00:00Z`, window), stated(7));
      assert.equal(stateAt(`${on(6)}T23:59:59Z`, window), stated(7));
    });
  for (const [key, label] of [
    ["globalAccountID", LABELS.globalAccountId],
    ["plan", LABELS.plan],
    ["region", LABELS.region],
    ["platformRegion", LABELS.platformRegion],
  ] as const)
    test(`a rule may go by ${key} alone`, () => {
      const written = { rules: [rule({ [key]: "^a-1$" }, on("Fri"))] };
      assert.equal(stateAt(NOW, written, runtimeOf({ [label]: "a-1" })), "closed 06T01:00 06T03:00");
      const others = Object.values(LABELS).filter((one) => one !== label);
      const without = runtimeOf(Object.fromEntries(others.map((one) => [one, "a-1"])));
      assert.equal(stateAt(NOW, written, without), "none");
    });
  test("so much of it must be left as is configured", () => {
    const at = (now: string) => maintenanceAt(now, policyOf(SATURDAY_NIGHT), RUNTIME, "90m").state;
    assert.deepEqual([at("2026-02-08T00:30:00Z"), at("2026-02-08T00:30:00.001Z")], ["open", "closed"]);
  });
  test("the account's key is known in both spellings", () => {
    const runtime = runtimeOf({ [LABELS.globalAccountId]: "a-1" });
    for (const key of ["globalAccountID", "globalAccountId"])
      assert.equal(
        stateAt(NOW, { rules: [rule({ [key]: "^a-1$" }, on("Fri"))] }, runtime),
        "closed 06T01:00 06T03:00",
      );
  });
  test("it opens after its beginning, and not at it", () => {
    const it = maintenanceAt(NOW, policyOf(SATURDAY_NIGHT), RUNTIME);
    assert.ok(it.state === "closed");
    const opened = maintenanceAt(it.opensAt, policyOf(SATURDAY_NIGHT), RUNTIME);
    assert.equal(opened.state, "open");
    assert.ok(it.opensAt > it.begin);
  });
  test("without a policy there is none", () =>
    assert.equal(maintenanceAt(NOW, undefined, RUNTIME).state, "none"));
  test("none says of a default that is there that it is over, or too short", () => {
    const past = { begin: "2020-01-01T22:00:00Z", end: "2020-01-02T02:00:00Z" };
    const none = "no rule of the maintenance policy concerns this runtime";
    for (const [written, why] of [
      [{ default: past }, `${none}, and its default is over, or too short`],
      [TOO_SHORT, `${none}, and its default is over, or too short`],
      [{}, `${none}, and there is no default`],
      [
        { rules: [{ match: { plan: "aws" }, windows: [past] }], default: past },
        "the rule of the maintenance policy that concerns this runtime has no window left, and its default is over, or too short",
      ],
    ] as const)
      assert.deepEqual(maintenanceAt(NOW, policyOf(written), RUNTIME), { state: "none", why });
  });
});
