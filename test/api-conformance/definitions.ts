import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { expectCode, placeOf } from "./objects.ts";
import type { Answer, Api } from "./target.ts";

const place = placeOf("definitions");
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A CRD whose `spec` has this schema. */
export const definition = (spec: object, root: object = {}, more: object = {}): object => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `things.${place.group}` },
  spec: {
    group: place.group,
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec, ...root } } },
        ...more,
      },
    ],
  },
});
/** Whether a server would take a CRD, without keeping it. */
export const tried = (api: Api, crd: object): Promise<Answer> => api.post(`${crds}?dryRun=All`, crd);

const text = { type: "string", maxLength: 20 };
const fields = {
  text,
  count: { type: "integer" },
  texts: { type: "array", maxItems: 5, items: text },
  items: {
    type: "array",
    maxItems: 5,
    items: {
      type: "object",
      properties: { name: text, matches: { type: "array", maxItems: 5, items: text } },
    },
  },
  map: {
    type: "object",
    maxProperties: 5,
    additionalProperties: { type: "object", properties: { name: text } },
  },
};
const withRule = (rule: object): object =>
  definition({ type: "object", properties: fields, "x-kubernetes-validations": [rule] });

const acceptedRules = [
  "has(self.items[0].name)",
  "has(self.map['k'].name)",
  "!has(self.items.filter(x, has(x.name))[0].matches)",
  "self.texts.all(i, v, i < 5 && v != '')",
  "self.map.exists(k, v, k == 'k' && has(v.name))",
  "self.texts.existsOne(i, v, v == 'b' && i == 1)",
  "self.texts.transformList(i, v, i > 0, v) == ['b']",
  "self.map.transformMap(k, v, v.name)['k'] == 'z'",
  "self.?text.optMap(x, x.size()).orValue(0) == 3",
  "!format.dns1123Label().validate(self.text).hasValue()",
  "format.named('uuid').hasValue()",
  "self.text.matches('^(?i)abc$')",
  "self.texts.distinct().size() == self.texts.size()",
];
const refusedRules = [
  "cel.bind(x, self.count, x > 1)",
  "self.text.reverse() == 'cba'",
  "has(self.items[0].nope)",
];
const acceptedPatterns = ["^(?i)abc$", "a(?i)b", "(?P<n>a)", "(?U)a+", "a{1000}", "^[[:alpha:]]+$"];
const refusedPatterns = ["(?=x)a", "(a)\\1", "a{1001}", "(?<!a)b", "a**"];

const object = {
  type: "object",
  properties: { s: { type: "string", maxLength: 9 }, i: { type: "integer" } },
};
const ruled = (rule: object, schema: object = object): object =>
  definition({ ...schema, "x-kubernetes-validations": [rule] });
const listed = (items: object, more: object = {}): object =>
  definition({ type: "array", maxItems: 3, items, ...more });
const transition = { "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
const scale = (paths: object): object => definition(object, {}, { subresources: { scale: paths } });
const selectable = (jsonPath: string): object => definition(object, {}, { selectableFields: [{ jsonPath }] });

const taken: Readonly<Record<string, object>> = {
  "a rule about old items of a list map": listed(
    {
      type: "object",
      required: ["k"],
      properties: { k: { type: "string", maxLength: 3 } },
      "x-kubernetes-validations": [{ rule: "self.k == oldSelf.k" }],
    },
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
  ),
  "anything beside properties": definition({ ...object, additionalProperties: true }),
  "an int-or-string with an empty type": definition({ type: "", "x-kubernetes-int-or-string": true }),
  "an int-or-string that spells its types": definition({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
  }),
  "a limit of the name's length": definition(object, {
    metadata: { type: "object", properties: { name: { type: "string", maxLength: 3 } } },
  }),
  "a selectable field": selectable(".spec.s"),
};
const refused: Readonly<Record<string, readonly [object, string]>> = {
  "a rule that is no truth": [
    ruled({ rule: "self.i + 1" }),
    "x-kubernetes-validations[0].rule: Invalid value",
  ],
  "a text as a rule": [
    ruled({ rule: "self" }, { type: "string", maxLength: 5 }),
    "cel expression must evaluate to a bool",
  ],
  "a field of a text": [
    ruled({ rule: "self.foo == 1" }, { type: "string", maxLength: 5 }),
    "compilation failed: ERROR: <input>:",
  ],
  "a message that is no text": [
    ruled({ rule: "true", messageExpression: "1" }),
    "messageExpression must evaluate to a string",
  ],
  "a message of two lines": [ruled({ rule: "true", message: "a\nb" }), "must not contain line breaks"],
  "an unknown reason": [ruled({ rule: "true", reason: "Zork" }), 'reason: Unsupported value: "Zork"'],
  "a field path to nowhere": [ruled({ rule: "true", fieldPath: ".zz" }), "must be a valid path"],
  "old values of items": [
    listed({ type: "string", maxLength: 3, ...transition }),
    "oldSelf cannot be used on the uncorrelatable portion of the schema within",
  ],
  "an optional old value that is not used": [
    ruled({ rule: "true", optionalOldSelf: true }),
    "may not be set if oldSelf is not used in rule",
  ],
  "a pattern in a rule that is none": [
    ruled({ rule: "self.s.matches('(?=x)')" }),
    "x-kubernetes-validations[0].rule: Invalid value",
  ],
  "a reference": [
    definition({ type: "object", properties: { a: { $ref: "#/x" } } }),
    "$ref is not supported",
  ],
  "pattern properties": [
    definition({ type: "object", patternProperties: { a: { type: "string" } } }),
    "patternProperties is not supported",
  ],
  "types in combinations": [
    definition({ ...object, anyOf: [{ type: "object" }] }),
    "anyOf[0].type: Forbidden: must be empty to be structural",
  ],
  "defaults in combinations": [
    definition({ ...object, anyOf: [{ properties: { s: { default: "x" } } }] }),
    "anyOf[0].properties[s].default: Forbidden: must be undefined to be structural",
  ],
  "a list type on a text": [
    definition({ type: "string", "x-kubernetes-list-type": "set" }),
    "must be array if x-kubernetes-list-type is specified",
  ],
  "a set of granular objects": [
    listed(object, { "x-kubernetes-list-type": "set" }),
    "must be atomic as item of a list with x-kubernetes-list-type=set",
  ],
  "not keeping unknown fields": [
    definition({ type: "object", "x-kubernetes-preserve-unknown-fields": false }),
    "must be true or undefined",
  ],
  "an embedded resource without a type": [
    definition({ "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true }),
    "must be object if x-kubernetes-embedded-resource is true",
  ],
  "a default with unknown fields": [
    definition({ type: "object", properties: { a: { type: "object", default: { zz: 1 } } } }),
    "must not have unknown fields",
  ],
  "constraints of labels": [
    definition(object, { metadata: { type: "object", properties: { labels: { type: "object" } } } }),
    "must not specify anything other than name and generateName, but metadata is implicitly specified",
  ],
  "a selectable field that does not exist": [
    selectable(".spec.zz"),
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.zz": is an invalid path: does not refer to a valid field',
  ],
  "a selectable object": [selectable(".spec"), "must point to a field of type string, boolean or integer."],
  "scaling outside of spec and status": [
    scale({ specReplicasPath: ".foo.r", statusReplicasPath: ".bar.r" }),
    'spec.subresources.scale.specReplicasPath: Invalid value: ".foo.r": should be a json path under .spec',
  ],
  "a column's path without its dot": [
    definition(object, {}, { additionalPrinterColumns: [{ name: "x", type: "string", jsonPath: "spec.x" }] }),
    "spec.additionalPrinterColumns[0].JSONPath: Invalid value",
  ],
  "a warning of a version that is not deprecated": [
    definition(object, {}, { deprecationWarning: "x" }),
    "can only be set for deprecated versions",
  ],
};
/** The CRD with fields of its `spec` set. */
const withSpec = (fields: object): object => {
  const made = definition(object) as { readonly spec: object };
  return { ...made, spec: { ...made.spec, ...fields } };
};
const refusedAround: Readonly<Record<string, readonly [object, string]>> = {
  "keeping all unknown fields": [withSpec({ preserveUnknownFields: true }), "cannot set to true"],
  "a webhook without a client": [
    withSpec({ conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } } }),
    "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
  ],
  "an unknown conversion": [
    withSpec({ conversion: { strategy: "Odd" } }),
    'spec.conversion.strategy: Unsupported value: "Odd"',
  ],
  "a protected group without approval": [
    { ...withSpec({ group: "conformance.k8s.io" }), metadata: { name: "things.conformance.k8s.io" } },
    "metadata.annotations[api-approved.kubernetes.io]: Required value",
  ],
};

/** Which CRDs are taken and which refused. */
export function definitions(api: () => Api): void {
  describe("definitions of custom resources", () => {
    for (const rule of acceptedRules)
      test(`takes the rule ${rule}`, async () => {
        await expectCode(201, tried(api(), withRule({ rule })));
      });
    for (const rule of refusedRules)
      test(`refuses the rule ${rule}`, async () => {
        const body = await expectCode(422, tried(api(), withRule({ rule })));
        assert.match(body.message, /x-kubernetes-validations\[0\]\.rule: Invalid value: /);
      });
    for (const rule of [
      "!oldSelf.hasValue() || oldSelf.value().text == self.text",
      "oldSelf.optMap(o, o.count).orValue(1) == 1",
    ])
      test(`takes a rule about an optional old value: ${rule}`, async () => {
        await expectCode(201, tried(api(), withRule({ rule, optionalOldSelf: true })));
      });
    for (const pattern of acceptedPatterns)
      test(`takes the pattern ${pattern}`, async () => {
        await expectCode(201, tried(api(), definition({ type: "string", pattern })));
      });
    for (const pattern of refusedPatterns)
      test(`refuses the pattern ${pattern}`, async () => {
        const body = await expectCode(422, tried(api(), definition({ type: "string", pattern })));
        assert.match(body.message, /must be a valid regular expression, but isn't: error parsing regexp: /);
      });
    for (const [title, crd] of Object.entries(taken))
      test(`takes ${title}`, async () => {
        await expectCode(201, tried(api(), crd));
      });
    for (const [title, [crd, why]] of Object.entries({ ...refused, ...refusedAround }))
      test(`refuses ${title}`, async () => {
        const body = await expectCode(422, tried(api(), crd));
        assert.ok(body.message.includes(why), body.message);
      });
    test("a version that objects may be stored in stays", async () => {
      const crd = definition(object) as { readonly spec: { readonly versions: readonly object[] } };
      await expectCode(201, api().post(crds, crd));
      const next = { ...crd.spec.versions[0], name: "v2" };
      const body = await expectCode(
        422,
        api().merge(`${crds}/things.${place.group}`, { spec: { versions: [next] } }),
      );
      assert.ok(
        body.message.includes('status.storedVersions[0]: Invalid value: "v1": missing from spec.versions'),
        body.message,
      );
      await expectCode(200, api().delete(`${crds}/things.${place.group}`));
    });
  });
}
