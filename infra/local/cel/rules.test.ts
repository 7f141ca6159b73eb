import assert from "node:assert/strict";
import { test } from "vitest";
import { hasFormat } from "../../../shared/kube/validation/formats.ts";
import type { StructuralSchema, ValidationRule } from "../../../shared/kube/validation/structural-schema.ts";
import { ruleFault, validateRules } from "./rules.ts";

const fields: StructuralSchema = {
  type: "object",
  properties: {
    s: { type: "string" },
    i: { type: "integer" },
    d: { type: "number" },
    l: { type: "array", items: { type: "string" } },
    m: { type: "object", additionalProperties: { type: "string" } },
    t: { type: "string", format: "date-time" },
    wait: { type: "string", format: "duration" },
    "a-b": { type: "integer" },
    in: { type: "integer" },
    items: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["n"],
      items: { type: "object", properties: { n: { type: "integer" }, b: { type: "string" } } },
    },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};
const value = {
  s: "abc",
  i: 3,
  d: 2.5,
  l: ["a", "b"],
  m: { k: "v" },
  t: "2024-01-01T00:00:00Z",
  wait: "5s",
  "a-b": 2,
  in: 1,
  items: [{ n: 1, b: "x" }, { n: 2 }],
};

// Each of these holds on the real server for this value too.
const holding = [
  "size(self.s) > 2 && self.s.matches('^a.*c$')",
  "self.l.all(x, x.size() < 5) && self.l.exists_one(x, x == 'a')",
  "self.l.map(x, x.size()).sum() == 2",
  "self.m.all(k, k.size() < 3) && 'k' in self.m && self.m['k'] == 'v'",
  "self.i + 1 == 4 && double(self.i) == 3.0 && string(self.i) == '3'",
  "self.d > 1.0 && self.d * 2.0 == 5.0",
  "self.t > timestamp('2020-01-01T00:00:00Z')",
  "self.wait > duration('1s')",
  "self.s.split('b') == ['a','c'] && self.s.replace('b','x') == 'axc'",
  "self.s.find('b') == 'b' && self.s.findAll('[a-c]').size() == 3",
  "self.l.isSorted() && self.l.min() == 'a' && self.l.max() == 'b' && self.l.indexOf('b') == 1",
  "url('https://a.b:80/c').getHost() == 'a.b:80' && url('https://a.b/c?x=1').getQuery()['x'] == ['1']",
  "ip('1.2.3.4').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsIP('11.1.2.3')",
  "quantity('1Gi').isGreaterThan(quantity('1Mi')) && quantity('500m').compareTo(quantity('1')) == -1",
  "semver('1.2.3').isGreaterThan(semver('1.2.3-rc1'))",
  "sets.contains(self.l, ['a']) && sets.equivalent(self.l, ['b','a'])",
  "self.a__dash__b == 2 && self.__in__ == 1",
  "'%s-%d'.format([self.s, self.i]) == 'abc-3'",
  "self.?s.orValue('x') == 'abc' && !has(self.any)",
  "has(self.items[0].b) && !has((self.items[1]).b)",
  "has(self.items.filter(x, has(x.b))[0].b) && !(has(self.items[1].b))",
  "self.l.all(i, v, i < 2 && v != '') && self.m.exists(k, v, k == 'k' && v == 'v')",
  "self.l.existsOne(i, v, v == 'b') && (self.l).exists_one(i, v, (i == 1))",
  "self.l.transformList(i, v, v + string(i)) == ['a0', 'b1']",
  "self.l.transformList(i, v, (i > 0), (v)) == ['b']",
  "self.l.transformMap(i, v, i > 0, v) == {1: 'b'} && self.m.transformMap(k, v, k + v)['k'] == 'kv'",
  "self.m.transformMapEntry(k, v, {v: k})['v'] == 'k'",
  "self.l.all(i, v, self.l.exists(j, w, i == j && v == w))",
  "self.?s.optMap(x, x.size()).orValue(0) == 3 && self.?s.optFlatMap(x, optional.of(x)).hasValue()",
  "!optional.ofNonZeroValue(0).hasValue() && optional.of(1).hasValue()",
  "self.s.matches('(?i)^A') && self.s.matches('a(?i)B') && matches(self.s, '^(?P<n>a)')",
  "!format.dns1123Label().validate(self.s).hasValue()",
  "format.dns1123Label().validate('A_').value().size() == 1",
  "format.named('qualifiedName').hasValue() && !format.named('nope').hasValue()",
  "self.l.distinct().size() == 2 && self.l.first().value() == 'a' && self.l.last().value() == 'b'",
];
for (const rule of holding) {
  test(rule, () => {
    assert.equal(ruleFault(fields, { rule }, false), undefined);
    assert.deepEqual(
      validateRules({ ...fields, "x-kubernetes-validations": [{ rule }] }, value, undefined, "spec"),
      [],
    );
  });
}

for (const [rule, why] of [
  ["self.nothing == 1", /undefined field 'nothing'/],
  ["self.any.q == 1", /undefined field 'q'/],
  ["nope(1)", /compilation failed/],
  ["self.i >", /compilation failed/],
  ["cel.bind(x, self.i, x > 1)", /undeclared reference to 'cel'/],
  ["has(self.items[0].nope)", /undefined field 'nope'/],
] as const) {
  test(`does not compile: ${rule}`, () => assert.match(ruleFault(fields, { rule }, false) ?? "", why));
}

const faults = (rule: ValidationRule, now: unknown, old?: unknown): string[] =>
  validateRules({ ...fields, "x-kubernetes-validations": [rule] }, now, old, "spec").map(
    ({ field, message }) => `${field}: ${message}`,
  );

test("message, messageExpression, fieldPath and reason", () => {
  assert.deepEqual(faults({ rule: "self.i > 5" }, value), ["spec: Invalid value: failed rule: self.i > 5"]);
  assert.deepEqual(faults({ rule: "self.i > 5", message: "too small" }, value), [
    "spec: Invalid value: too small",
  ]);
  assert.deepEqual(
    faults(
      {
        rule: "self.i > 5",
        messageExpression: "'got ' + string(self.i)",
        fieldPath: ".i",
        reason: "FieldValueForbidden",
      },
      value,
    ),
    ["spec.i: Forbidden: got 3"],
  );
});

test("rules about the old value wait for one", () => {
  const rule = { rule: "self.i >= oldSelf.i" };
  assert.deepEqual(faults(rule, value), []);
  assert.deepEqual(faults(rule, { i: 2 }, { i: 3 }), [
    "spec: Invalid value: failed rule: self.i >= oldSelf.i",
  ]);
});

test("an optional old value is there on create too, and empty then", () => {
  const fixed = { rule: "!oldSelf.hasValue() || oldSelf.value().i == self.i", optionalOldSelf: true };
  assert.deepEqual(faults(fixed, value), []);
  assert.deepEqual(faults(fixed, value, value), []);
  assert.equal(faults(fixed, { i: 2 }, { i: 3 }).length, 1);
  const spelled = { rule: "oldSelf.optMap(o, o.i).orValue(self.i) == self.i", optionalOldSelf: true };
  assert.deepEqual(faults(spelled, value), []);
  assert.equal(faults(spelled, { i: 2 }, { i: 3 }).length, 1);
});

test("a rule that cannot be evaluated is a fault of the value", () => {
  assert.deepEqual(faults({ rule: "self.i > 5" }, {}), [
    'spec: Invalid value: "object": no such key: i evaluating rule: self.i > 5',
  ]);
});

test("a fault of a plain value tells it", () => {
  const schema: StructuralSchema = { type: "string", "x-kubernetes-validations": [{ rule: "self == 'x'" }] };
  assert.deepEqual(
    validateRules(schema, "HTTP", undefined, "spec.port").map(({ message }) => message),
    [`Invalid value: "HTTP": failed rule: self == 'x'`],
  );
});

for (const text of ["1 day", "3 weeks", "P1D", "1d2h", "1 Hour", "5 sec", "3 milliseconds", "1h30m", "+5m"]) {
  test(`${text} is a duration, also for rules`, () => {
    assert.equal(hasFormat("duration", text), true);
    assert.deepEqual(faults({ rule: "self.wait > duration('0s')" }, { wait: text }), []);
  });
}
for (const text of ["x", "10", ""])
  test(`'${text}' is no duration`, () => assert.equal(hasFormat("duration", text), false));

test("rules within lists and maps name the place", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: {
      list: { type: "array", items: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 1" }] } },
    },
  };
  assert.deepEqual(
    validateRules(schema, { list: [2, 1] }, undefined, "spec").map(({ field }) => field),
    ["spec.list[1]"],
  );
});
