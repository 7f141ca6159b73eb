import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { KymaPolicySpec } from "../../kinds/index.ts";
import { judged, type PolicyObject } from "./index.ts";

type Some = Partial<KymaPolicySpec>;
const rules = (some: Some): KymaPolicySpec => ({ rank: 0, ...some });
/** A policy: its age is that of its name. */
const policy = (name: string, spec: Some, accepted?: Some): PolicyObject => ({
  metadata: { name, creationTimestamp: "2026-02-03T10:00:00Z" },
  spec: rules(spec),
  ...(accepted !== undefined && { status: { accepted: rules(accepted) } }),
});
const enforce = (channel?: string): Some => ({
  enforce: [{ module: "mesh", ...(channel !== undefined && { channel }) }],
});
const deny: Some = { deny: ["mesh"] };
const of = (team: string): Some => ({ selector: { matchLabels: { team } } });
const expression = (operator: string, ...values: string[]): Some => ({
  selector: { matchExpressions: [{ key: "team", operator, values }] },
});

/** The title, the policies, and of which ones the spec holds. */
const ROWS: readonly (readonly [
  title: string,
  policies: readonly PolicyObject[],
  holding: readonly string[],
])[] = [
  ["one that enforces", [policy("a", enforce())], ["a"]],
  ["one that contradicts itself", [policy("a", { ...enforce(), ...deny })], []],
  [
    "one with a channel and a version",
    [policy("a", { enforce: [{ module: "m", channel: "fast", version: "1.0.0" }] })],
    [],
  ],
  [
    "one to begin with by a channel and a version",
    [
      policy("a", {
        defaults: [
          { module: "m", channel: "fast", version: "1.0.0", customResourcePolicy: "CreateAndDelete" },
        ],
      }),
    ],
    [],
  ],
  [
    "one to begin with that it denies",
    [policy("a", { ...deny, defaults: [{ module: "mesh", customResourcePolicy: "Ignore" }] })],
    [],
  ],
  [
    "one to begin with in the channel none",
    [policy("a", { defaults: [{ module: "mesh", channel: "none", customResourcePolicy: "Ignore" }] })],
    [],
  ],
  ["one that allows no channel", [policy("a", { allowChannels: [] })], []],
  ["one that selects by no value", [policy("a", { ...deny, ...expression("In") })], []],
  [
    "two that allow no channel in common",
    [policy("a", { allowChannels: ["fast"] }), policy("b", { allowChannels: ["slow"] })],
    ["a"],
  ],
  [
    "two that allow one in common",
    [policy("a", { allowChannels: ["fast", "regular"] }), policy("b", { allowChannels: ["fast"] })],
    ["a", "b"],
  ],
  ["one with an empty version", [policy("a", { enforce: [{ module: "m", version: "" }] })], []],
  ["one with the channel none", [policy("a", enforce("none"))], []],
  ["one that allows the channel None", [policy("a", { allowChannels: ["None"] })], []],
  ["one that selects by an operator that there is not", [policy("a", expression("Like", "x"))], []],
  ["denied by one of the same rank", [policy("a", enforce()), policy("b", deny)], ["a"]],
  ["enforced by one of the same rank that came later", [policy("a", deny), policy("b", enforce())], ["a"]],
  ["denied by one of another rank", [policy("a", enforce()), policy("b", { ...deny, rank: 1 })], ["a", "b"]],
  ["enforced alike", [policy("a", enforce("fast")), policy("b", enforce("fast"))], ["a", "b"]],
  ["enforced otherwise", [policy("a", enforce("fast")), policy("b", enforce("rapid"))], ["a"]],
  [
    "other Kymas",
    [policy("a", { ...enforce(), ...of("x") }), policy("b", { ...deny, ...of("y") })],
    ["a", "b"],
  ],
  [
    "other labels, so perhaps the same Kymas",
    [
      policy("a", { ...enforce(), ...of("x") }),
      policy("b", { ...deny, selector: { matchLabels: { plan: "y" } } }),
    ],
    ["a"],
  ],
  [
    "in a list",
    [policy("a", { ...enforce(), ...of("x") }), policy("b", { ...deny, ...expression("In", "x", "y") })],
    ["a"],
  ],
  [
    "not in a list",
    [policy("a", { ...enforce(), ...of("x") }), policy("b", { ...deny, ...expression("NotIn", "x") })],
    ["a", "b"],
  ],
  [
    "two that leave something out",
    [
      policy("a", { ...enforce(), ...expression("NotIn", "x") }),
      policy("b", { ...deny, ...expression("NotIn", "y") }),
    ],
    ["a"],
  ],
  [
    "with a label and without",
    [
      policy("a", { ...enforce(), ...expression("Exists") }),
      policy("b", { ...deny, ...expression("DoesNotExist") }),
    ],
    ["a", "b"],
  ],
  ["what holds goes before what is older", [policy("a", enforce()), policy("b", deny, deny)], ["b"]],
  ["one that gives way", [policy("a", enforce()), policy("b", {}, deny)], ["a", "b"]],
];

describe("the policies that hold", () => {
  for (const [title, policies, holding] of ROWS)
    for (const inOrder of [policies, policies.toReversed()])
      test(`${title}${inOrder === policies ? "" : ", in another order"}: ${holding.join(", ") || "none"}`, () =>
        assert.deepEqual(
          judged(inOrder)
            .filter(({ fault }) => fault === undefined)
            .map(({ name }) => name),
          holding,
        ));

  test("what was accepted last stays", () => {
    const before = enforce("fast");
    const [one, other] = judged([policy("a", enforce("rapid"), before), policy("b", before, before)]);
    assert.deepEqual(one?.accepted, rules(before));
    assert.match(one?.fault ?? "", /mesh.*policy b/);
    assert.equal(other?.fault, undefined);
  });
  test("what is refused at first holds nothing", () =>
    assert.deepEqual(judged([policy("a", enforce("none"))])[0]?.accepted, undefined));
});
