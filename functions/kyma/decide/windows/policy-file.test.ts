import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { lint, readMaintenancePolicy, unreadIn } from "./index.ts";

const GOOD = { days: ["Sat"], begin: "22:00:00Z", end: "02:00:00Z" };
const midnight = { sinceMidnight: 0, ahead: 0 };
const withWindow = (window: object): string => JSON.stringify({ default: { ...GOOD, ...window } });
const withMatch = (...matches: readonly object[]): string =>
  JSON.stringify({ rules: matches.map((match) => ({ match, windows: [GOOD] })) });

const UNREADABLE: readonly (readonly [text: string, path: string])[] = [
  ["{", ""],
  ["[]", ""],
  [`{"rules": ${"[".repeat(10_000)}${"]".repeat(10_000)}}`, ""],
  ['{"rules": {}}', "rules"],
  ['{"rules": [{"windows": []}]}', "rules.0.match"],
  ['{"default": {"begin": "22:00:00Z"}}', "default.end"],
  [withWindow({ days: ["Someday"] }), "default.days.0"],
  [withWindow({ begin: "25:00:00Z" }), "default.begin"],
  [withWindow({ begin: "22:00:00" }), "default.begin"],
  [withWindow({ end: "2026-02-03T22:00:00Z" }), "default.end"],
  [withWindow({ days: [] }), "default.begin"],
  [withWindow({ days: [], begin: "2026-02-30", end: "2026-03-01" }), "default.begin"],
  [withWindow({ days: [], begin: "2026-02-30T22:00:00Z", end: "2026-03-04T21:00:00Z" }), "default.begin"],
  [withWindow({ days: [], begin: "2026-02-03T22:00:00Z", end: "2026-02-03T24:00:00Z" }), "default.end"],
  [withWindow({ days: [], begin: "2026-02-03T22:00:00Z", end: "2026-02-03T21:00:00Z" }), "default.end"],
  [withMatch({ plan: "a(" }), "rules.0.match.plan"],
  [withMatch({ plan: "(?<=a)b" }), "rules.0.match.plan"],
];

const NOW = "2026-01-01T00:00:00Z";
const DOUBTFUL: readonly (readonly [title: string, text: string, path: string | undefined])[] = [
  ["a good one", withMatch({ plan: "a|b" }, { region: "^eu" }), undefined],
  // U+2502 looks like the bar between alternatives.
  ["a box-drawing line", withMatch({ plan: "a\u2502b" }), "rules.0.match.plan"],
  ["no pattern", withMatch({}), "rules.0.match"],
  ["empty patterns", withMatch({ plan: "", region: "" }), "rules.0.match"],
  ["the same once more", withMatch({ plan: "a", region: "b" }, { region: "b" }), "rules.1"],
  ["an attribute of which any value was met", withMatch({ plan: ".*" }, { plan: "^trial$" }), "rules.1"],
  ["another attribute than that", withMatch({ plan: ".*" }, { region: "eu" }), undefined],
  ["a pattern for no label", withMatch({ plan: "^$", region: "eu" }), "rules.0.match.plan"],
  [
    "a window that is over",
    withWindow({ days: [], begin: "2001-02-03T22:00:00Z", end: "2001-02-03T23:00:00Z" }),
    "default",
  ],
  ["a part of it that is new", withMatch({ plan: "a" }, { plan: "a", region: "b" }), undefined],
  ["a rule without windows", JSON.stringify({ rules: [{ match: { plan: "a" } }] }), "rules.0.windows"],
  [
    "a rule that has the default's",
    JSON.stringify({ rules: [{ match: { plan: "a" } }], default: GOOD }),
    undefined,
  ],
  ["a window of twenty minutes", withWindow({ end: "22:20:00Z" }), "default"],
  ["a window of twenty-one", withWindow({ end: "22:21:00Z" }), undefined],
];

const UNREAD: readonly (readonly [title: string, file: object, ...paths: readonly string[]])[] = [
  ["the keys that are read", { rules: [{ match: { plan: "a" }, windows: [GOOD] }], default: GOOD }],
  ["capital letters", { Rules: [{ Match: { GlobalAccountId: "a" }, Windows: [{ ...GOOD }] }] }],
  ["a window for windows", { rules: [{ match: { plan: "a" }, window: [GOOD] }] }, "rules.0.window"],
  ["a default of another name", { rules: [], defaults: GOOD }, "defaults"],
  ["an attribute that there is not", { rules: [{ match: { regoin: "a" } }] }, "rules.0.match.regoin"],
  [
    "words of windows",
    { rules: [{ match: {}, windows: [GOOD, { ...GOOD, zone: "CET" }] }], default: { ...GOOD, day: "Sat" } },
    "rules.0.windows.1.zone",
    "default.day",
  ],
  ["a key in two spellings", { rules: [{ match: { plan: "a", Plan: "b" } }] }, "rules.0.match.Plan"],
];

describe("a maintenance policy's file", () => {
  for (const [title, file, ...paths] of UNREAD)
    test(`${title}: ${paths.join(", ") || "all is read"}`, () => {
      const text = JSON.stringify(file);
      assert.ok("rules" in readMaintenancePolicy(text));
      assert.deepEqual(
        unreadIn(text).map(({ path }) => path),
        paths,
      );
    });
  for (const [text, path] of UNREADABLE)
    test(`${text.slice(0, 120)} is refused at "${path}"`, () => {
      const faults = readMaintenancePolicy(text);
      assert.ok(!("rules" in faults), "it was read");
      assert.ok(
        faults.some((fault) => fault.path === path && fault.message !== ""),
        JSON.stringify(faults),
      );
    });
  for (const [title, text, path] of DOUBTFUL)
    test(`${title}: ${path ?? "no doubt"}`, () => {
      const policy = readMaintenancePolicy(text);
      assert.ok("rules" in policy, JSON.stringify(policy));
      assert.deepEqual(
        lint(policy, NOW).map((fault) => fault.path),
        path === undefined ? [] : [path],
      );
    });
  test("what is null is not there, as programs write it", () => {
    const once = { days: null, begin: "2026-02-03T22:00:00Z", end: "2026-02-04T02:00:00Z" };
    const match = { plan: "a", region: null };
    const policy = readMaintenancePolicy(
      JSON.stringify({
        rules: [
          { match, windows: null },
          { match, windows: [once] },
        ],
        default: null,
      }),
    );
    assert.ok("rules" in policy, JSON.stringify(policy));
    assert.deepEqual(
      policy.rules.map(({ match: found, windows }) => [Object.keys(found), windows.length]),
      [
        [["plan"], 0],
        [["plan"], 1],
      ],
    );
    assert.equal(policy.defaultWindow, undefined);
    assert.deepEqual(readMaintenancePolicy('{"rules": null}'), { rules: [], defaultWindow: undefined });
  });
  test("an empty one has no windows, and no mistakes", () =>
    assert.deepEqual(readMaintenancePolicy("{}"), { rules: [], defaultWindow: undefined }));
  test("many rules are looked through in one pass", () => {
    const rules = 20_000;
    let read = 0;
    const policy = {
      defaultWindow: undefined,
      rules: Array.from({ length: rules }, (_, index) => ({
        windows: [{ days: [0, 1, 2, 3, 4, 5, 6], begin: midnight, end: midnight }],
        match: {
          get plan() {
            read += 1;
            return { text: `plan-${index % (rules / 2)}`, isIn: () => false };
          },
        },
      })),
    };
    assert.equal(lint(policy, NOW).length, rules / 2);
    assert.ok(read <= 3 * rules, `${read} looks at patterns`);
  });
});
