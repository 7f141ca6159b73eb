import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { offersOf } from "./offers.ts";

const asked = { version: "5.1.9", channel: "steady-5.1", migrates: false };
const node = (version: string, metadata?: object) => ({
  version,
  payload: `reg.example/rel:${version}`,
  ...(metadata !== undefined && { metadata }),
});
const risk = (name: string, more: object = {}) => ({
  name,
  url: `https://risk.example/${name}`,
  message: `${name} happens.`,
  matchingRules: [{ type: "Always" }],
  ...more,
});
const nodes = [node("5.1.8"), node("5.1.9"), node("5.1.10"), node("5.2.0"), node("5.1.11")];
/** From 5.1.9, which is node 1. */
const graph = (more: object = {}) => ({
  nodes,
  edges: [
    [1, 2],
    [0, 1],
    [1, 3],
  ],
  ...more,
});
const conditional = (to: string, ...risks: object[]) => ({ edges: [{ from: "5.1.9", to }], risks });
const offered = (said: unknown, more: object = {}) => {
  const offers = offersOf(said, { ...asked, ...more });
  return "reason" in offers
    ? offers.reason
    : {
        updates: offers.updates.map(({ version }) => version),
        conditional: offers.conditional.map(({ release }) => release.version),
        ...(offers.omitted.length > 0 && { omitted: offers.omitted }),
      };
};

test("the next steps from what runs, newest first", () =>
  assert.deepEqual(offered(graph()), { updates: ["5.2.0", "5.1.10"], conditional: [] }));

test("what the graph says of a release", () => {
  const metadata = {
    url: "https://release.example/5.1.10",
    "io.openshift.upgrades.graph.release.channels": "steady-5.1,fast-5.1,steady-5.1",
    "release.openshift.io/architecture": "multi",
  };
  const offers = offersOf({ nodes: [node("5.1.9"), node("5.1.10", metadata)], edges: [[0, 1]] }, asked);
  assert.deepEqual("updates" in offers && offers.updates, [
    {
      version: "5.1.10",
      image: "reg.example/rel:5.1.10",
      url: "https://release.example/5.1.10",
      channels: ["fast-5.1", "steady-5.1"],
      architecture: "Multi",
    },
  ]);
});

test("a cluster that becomes one of several architectures is offered its own version alone", () =>
  assert.deepEqual(offered(graph(), { migrates: true }), { updates: ["5.1.9"], conditional: [] }));

describe("steps under conditions", () => {
  test("are apart from the plain ones, and a step of both sorts is conditional", () =>
    assert.deepEqual(
      offered(
        graph({ conditionalEdges: [conditional("5.2.0", risk("A")), conditional("5.1.11", risk("A"))] }),
      ),
      {
        updates: ["5.1.10"],
        conditional: ["5.2.0", "5.1.11"],
      },
    ));
  test("of another version are no concern", () =>
    assert.deepEqual(
      offered(graph({ conditionalEdges: [{ edges: [{ from: "5.1.8", to: "5.2.0" }], risks: [risk("A")] }] })),
      { updates: ["5.2.0", "5.1.10"], conditional: [] },
    ));
  test("two to one target drop it, the plain step with them", () =>
    assert.deepEqual(
      offered(
        graph({ conditionalEdges: [conditional("5.2.0", risk("A")), conditional("5.2.0", risk("B"))] }),
      ),
      {
        updates: ["5.1.10"],
        conditional: [],
        omitted: ["5.2.0: it is offered under conditions more than once"],
      },
    ));
  for (const [name, risks, fault] of [
    ["no risks", [], "it names no risks"],
    [
      "a rule that nobody knows",
      [risk("A", { matchingRules: [{ type: "Moon" }] })],
      "its risk A has no rule that can be evaluated",
    ],
    [
      "a query that is empty",
      [risk("A", { matchingRules: [{ type: "PromQL", promql: { promql: "" } }] })],
      "its risk A has no rule that can be evaluated",
    ],
    [
      "a risk without a message",
      [risk("A", { message: "" })],
      'its risk "A" lacks a name, a URL or a message',
    ],
    [
      "a risk whose URL is none",
      [risk("A", { url: "here" })],
      'its risk "A" lacks a name, a URL or a message',
    ],
    [
      "more risks than can be stored",
      Array.from({ length: 201 }, (_, n) => risk(`A${n}`)),
      "it names more than 200 risks",
    ],
  ] as const)
    test(`with ${name} are left out, and it is told`, () =>
      assert.deepEqual(offered(graph({ conditionalEdges: [conditional("5.2.0", ...risks)] })), {
        updates: ["5.1.10"],
        conditional: [],
        omitted: [`5.2.0: ${fault}`],
      }));
  test("lose the rules that nobody knows, and risks that are named twice", () => {
    const matchingRules = [{ type: "Moon" }, { type: "PromQL", promql: { promql: "up" } }];
    const risks = [risk("A", { matchingRules }), risk("A")];
    const offers = offersOf(graph({ conditionalEdges: [conditional("5.2.0", ...risks)] }), asked);
    assert.deepEqual(
      "conditional" in offers &&
        offers.conditional[0]?.risks.map(({ name, matchingRules }) => [name, matchingRules]),
      [["A", [{ type: "PromQL", promql: { promql: "up" } }]]],
    );
  });
  test("more than can be stored lose the oldest", () => {
    const many = Array.from({ length: 510 }, (_, n) => node(`5.1.${n + 10}`));
    const said = {
      nodes: [node("5.1.9"), ...many],
      conditionalEdges: [
        { edges: many.map(({ version }) => ({ from: "5.1.9", to: version })), risks: [risk("A")] },
      ],
    };
    const offers = offersOf(said, asked);
    const versions = "conditional" in offers ? offers.conditional.map(({ release }) => release.version) : [];
    assert.deepEqual([versions.length, versions[0], versions.at(-1)], [500, "5.1.519", "5.1.20"]);
    assert.deepEqual("omitted" in offers && offers.omitted, [
      "10 updates under risks for which there is no room, 5.1.19 and older",
    ]);
  });
});

describe("graphs that are none", () => {
  for (const [name, said, reason] of [
    ["nothing", null, "ResponseInvalid"],
    ["no nodes", {}, "VersionNotFound"],
    ["the version is missing", { nodes: [node("5.1.8")] }, "VersionNotFound"],
    ["a node that is no version", { nodes: [{ version: "nightly" }] }, "ResponseInvalid"],
    ["an edge of three", { nodes, edges: [[1, 2, 3]] }, "ResponseInvalid"],
    ["an edge to nowhere", { nodes, edges: [[1, 9]] }, "ResponseInvalid"],
    [
      "a condition on nothing",
      graph({ conditionalEdges: [conditional("6.0.0", risk("A"))] }),
      "ResponseInvalid",
    ],
  ] as const)
    test(name, () => assert.equal(offered(said), reason));
  test("the text names version and channel", () => {
    const fault = offersOf({}, asked);
    assert.equal(
      "reason" in fault && fault.message,
      'currently reconciling cluster version 5.1.9 not found in the "steady-5.1" channel',
    );
  });
  test("whatever comes is answered, never thrown", () =>
    fc.assert(fc.property(fc.jsonValue(), (said) => void offersOf(said, asked))));
});
