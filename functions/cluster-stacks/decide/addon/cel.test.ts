import assert from "node:assert/strict";
import { describe, it, test } from "vitest";
import type { StageCondition } from "../assets/index.ts";
import { type ConditionObject, judgeWait } from "./cel.ts";

const named = (key: string): StageCondition["objects"][number] => ({
  key,
  apiVersion: "apps/v1",
  kind: "Deployment",
  name: key,
  namespace: "kube-system",
});
const deployment = (status: object, spec: object = { replicas: 2 }): ConditionObject => ({
  state: "found",
  object: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", labels: {} }, spec, status },
});
const ask = (conditions: string, found: Readonly<Record<string, ConditionObject>>) =>
  judgeWait({ objects: Object.keys(found).map(named), conditions }, new Map(Object.entries(found)));
const web = deployment({
  readyReplicas: 2,
  share: 0.5,
  conditions: [{ type: "Available", status: "True" }],
});

describe("a condition about objects of a workload cluster", () => {
  const holding: readonly string[] = [
    "web.status.readyReplicas == web.spec.replicas",
    "web.status.readyReplicas == 2 && web.status.share < 0.75",
    'has(web.status.readyReplicas) && !has(web.status.unavailableReplicas) && "labels" in web.metadata',
    'web.status.conditions.exists(c, c.type == "Available" && c.status == "True")',
    'web.metadata.name.matches("^w.b$") && web.kind.startsWith("Dep")',
    "size(web.status.conditions) == 1",
    '[web.spec.replicas, "two"].size() == 2',
  ];
  for (const text of holding)
    it(`holds: ${text}`, () => assert.deepEqual(ask(text, { web }), { holds: true }));

  const failing: readonly (readonly [
    text: string,
    found: Readonly<Record<string, ConditionObject>>,
    reason: string,
    severity: string,
    message: RegExp,
  ])[] = [
    ["web.spec.replicas ==", { web }, "CompileCELExpressionFailed", "Error", /Unexpected token/],
    ["cel.bind(x, web, x == x)", { web }, "CompileCELExpressionFailed", "Error", /Unknown variable: cel/],
    ["app.spec.replicas == 2", { web }, "WrongInputVar", "Error", /Unknown variable: app/],
    ["web.spec.replicas", { web }, "CELExpressionTypeMismatch", "Error", /does not give true or false/],
    ["1 + 1", { web }, "CELExpressionTypeMismatch", "Error", /gives int/],
    ["true", { web: { state: "kind missing" } }, "CRDNotExisting", "Error", /no kind Deployment of apps\/v1/],
    [
      "true",
      { web: { state: "missing", namespace: "kube-system" } },
      "ObjectNotFound",
      "Error",
      /Deployment kube-system\/web is not there/,
    ],
    ["true", { web: { state: "refused", message: "grant it" } }, "ObjectNotFound", "Error", /grant it/],
    ["web.spec.replicas == 3", { web }, "EvaluateCELConditionFailed", "Info", /not so yet/],
    ["web.status.nothing == 3", { web }, "EvaluateCELConditionFailed", "Info", /No such key: nothing/],
    ["web.spec.replicas == 1 / 0", { web }, "EvaluateCELConditionFailed", "Info", /division by zero/],
  ];
  for (const [text, found, reason, severity, message] of failing)
    it(`${reason}: ${text}`, () => {
      const verdict = ask(text, found);
      assert.ok(!verdict.holds);
      assert.deepEqual([verdict.reason, verdict.severity], [reason, severity]);
      assert.match(verdict.message, message);
    });

  it("is judged before its objects are missed, and its kinds before its objects", () => {
    const missing = { web: { state: "missing" } } as const;
    assert.partialDeepStrictEqual(ask("app == 1", missing), { reason: "WrongInputVar" });
    assert.partialDeepStrictEqual(ask("web == other", { ...missing, other: { state: "kind missing" } }), {
      reason: "ObjectNotFound",
    });
  });

  test("whatever is called like an object's inheritance is a field like others", () => {
    assert.partialDeepStrictEqual(ask("has(web.constructor) || has(web.__proto__)", { web }), {
      reason: "EvaluateCELConditionFailed",
      message: "it is not so yet: has(web.constructor) || has(web.__proto__)",
    });
  });

  test("the sizes of its objects bound what it may cost", () => {
    const long = deployment({ list: Array.from({ length: 300 }, (_, index) => ({ index })) });
    assert.deepEqual(ask("web.status.list.all(a, a.index < 300)", { web: long }), { holds: true });
    // Its own time: others may have the machine meanwhile.
    const before = process.cpuUsage();
    const nested = ["a", "b", "c", "d"].reduceRight(
      (inner, name) => `web.status.list.all(${name}, ${inner})`,
      "true",
    );
    assert.partialDeepStrictEqual(ask(nested, { web: long }), { reason: "EvaluateCELConditionFailed" });
    const doubled = ["a", "b", "c", "d", "e", "f"].reduceRight(
      (inner, name, index) =>
        `[${Array.from({ length: 9 }, () => (index === 0 ? "web.status.text" : "edcba"[5 - index])).join("+")}].all(${name}, ${inner})`,
      "true",
    );
    const text = deployment({ text: "x".repeat(10_000) });
    assert.partialDeepStrictEqual(ask(doubled, { web: text }), { holds: false });
    const pattern = `web.status.text.matches("^(x+x+)+y$")`;
    assert.partialDeepStrictEqual(ask(pattern, { web: deployment({ text: "x".repeat(5000) }) }), {
      message: /not so yet/.exec(pattern) === null ? `it is not so yet: ${pattern}` : "",
    });
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 2_000_000, `${user + system} µs`);
  });
});
