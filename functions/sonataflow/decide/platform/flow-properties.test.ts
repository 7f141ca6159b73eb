import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ConfigMap } from "../../../../shared/kube/kinds/index.ts";
import { platform } from "../../test/objects.ts";
import { configMapsOf, flowProperties, workflowSettings } from "./flow-properties.ts";

const with_ = (flow: object[]) => platform({ name: "p", namespace: "n", spec: { properties: { flow } } });
const map = (data: Record<string, string>): ConfigMap => ({ data }) as ConfigMap;
const secret = (name: string, more: object = {}) => ({
  name,
  valueFrom: { secretKeyRef: { name: "s", key: "k", ...more } },
});
const config = (name: string, more: object = {}) => ({
  name,
  valueFrom: { configMapKeyRef: { name: "c", key: "k", ...more } },
});

describe("properties of a platform", () => {
  test("values, the last one of a name", () => {
    assert.deepEqual(
      flowProperties(with_([{ name: "a", value: "1" }, { name: "a", value: "2" }, { name: "b" }]), new Map())
        .properties,
      { a: "2", b: "" },
    );
  });
  test("keeps a property whatever it is called", () => {
    const { properties } = flowProperties(
      with_([
        { name: "__proto__", value: "v1" },
        { name: "constructor", value: "v2" },
      ]),
      new Map(),
    );
    assert.deepEqual(Object.entries(properties), [
      ["__proto__", "v1"],
      ["constructor", "v2"],
    ]);
  });
  test("from a ConfigMap, or what is missing", () => {
    assert.deepEqual(flowProperties(with_([config("a")]), new Map([["c", map({ k: "v" })]])).properties, {
      a: "v",
    });
    assert.deepEqual(flowProperties(with_([config("a")]), new Map([["c", undefined]])).missing, [
      { name: "c", key: "k" },
    ]);
    assert.deepEqual(flowProperties(with_([config("a", { optional: true })]), new Map()), {
      properties: {},
      env: [],
      missing: [],
    });
  });
  test("from a Secret: a variable, and never its value", () => {
    const { properties, env } = flowProperties(
      with_([secret("api.token-1"), secret("b", { optional: true })]),
      new Map(),
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the workflow's runtime resolves it.
    assert.deepEqual(properties, { "api.token-1": "${FLOW_PROPERTY_API_TOKEN_1}", b: "${FLOW_PROPERTY_B:}" });
    assert.deepEqual(env[0], {
      name: "FLOW_PROPERTY_API_TOKEN_1",
      valueFrom: { secretKeyRef: { name: "s", key: "k" } },
    });
  });
  test("two properties never share a variable", () => {
    const { env } = flowProperties(with_([secret("a.b"), secret("a-b"), secret("c")]), new Map());
    const names = env.map(({ name }) => name);
    assert.equal(new Set(names).size, 3);
    assert.match(names[0] ?? "", /^FLOW_PROPERTY_A_B_[0-9A-F]{8}$/);
    assert.equal(names[2], "FLOW_PROPERTY_C");
  });
  test("each ConfigMap is named once, and only where it is read", () => {
    assert.deepEqual(
      configMapsOf(with_([config("a"), config("b"), { ...config("d", { name: "unused" }), value: "1" }])),
      ["c"],
    );
  });
  test("the digest follows what workflows take, and nothing else", () => {
    const digest = (spec: object, value = "v") =>
      workflowSettings(platform({ name: "p", namespace: "n", spec }), new Map([["c", map({ k: value })]]));
    const flow = { properties: { flow: [config("a")] } };
    assert.equal(digest({}), undefined);
    assert.equal(digest(flow), digest({ ...flow, services: {} }));
    assert.notEqual(digest(flow), digest(flow, "other"));
    const persistence = { postgresql: { secretRef: { name: "s" }, jdbcUrl: "jdbc:postgresql://h/d" } };
    assert.notEqual(digest(flow), digest({ ...flow, persistence }));
  });
});
