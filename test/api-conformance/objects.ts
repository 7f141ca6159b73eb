import type { Answer, Api, Body } from "./target.ts";

const widgetSpec = {
  type: "object",
  required: ["size"],
  properties: {
    size: { type: "integer", minimum: 1, maximum: 10 },
    color: { type: "string", default: "red" },
    mode: { type: "string", enum: ["a", "b"] },
    replicas: { type: "integer" },
    text: { type: "string", pattern: "^a+$", minLength: 2, maxLength: 5 },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port"],
      items: {
        type: "object",
        required: ["port"],
        properties: { port: { type: "integer" }, proto: { type: "string" } },
      },
    },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    list: { type: "array", maxItems: 2, items: { type: "string" } },
    amount: { "x-kubernetes-int-or-string": true },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    none: { type: "string", nullable: true },
    numbers: { type: "object", additionalProperties: { type: "integer" } },
    conf: { type: "object", additionalProperties: { type: "string" } },
    when: { type: "string", format: "date-time" },
    embedded: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
    flag: { type: "boolean" },
  },
  "x-kubernetes-validations": [
    { rule: "self.size < 9", message: "too big" },
    {
      rule: "!has(oldSelf.mode) || !has(self.mode) || self.mode == oldSelf.mode",
      messageExpression: "'mode was ' + oldSelf.mode",
      fieldPath: ".mode",
      reason: "FieldValueForbidden",
    },
    { rule: "self.size != 7" },
    { rule: "!has(self.tags) || self.tags.all(t, t.size() < 4 && !t.startsWith('z'))", message: "bad tag" },
  ],
};
const widgetStatus = {
  type: "object",
  properties: {
    phase: { type: "string" },
    replicas: { type: "integer" },
    conditions: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
      items: {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string" }, status: { type: "string" } },
      },
    },
  },
};

/** A CRD of a group of its own, so that suites do not meet. */
export const definition = (group: string, plural = "widgets", kind = "Widget"): Record<string, unknown> => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural, kind },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        selectableFields: [{ jsonPath: ".spec.color" }],
        schema: {
          openAPIV3Schema: { type: "object", properties: { spec: widgetSpec, status: widgetStatus } },
        },
      },
    ],
  },
});

/** The group, the namespace and the paths of one suite. */
export interface Place {
  readonly group: string;
  readonly namespace: string;
  /** Path of the widgets. */
  readonly widgets: string;
  /** Path of the ConfigMaps. */
  readonly configMaps: string;
}
export const placeOf = (name: string): Place => ({
  group: `${name}.conformance.dev`,
  namespace: name,
  widgets: `/apis/${name}.conformance.dev/v1/namespaces/${name}/widgets`,
  configMaps: `/api/v1/namespaces/${name}/configmaps`,
});

export const widget = (
  place: Place,
  name: string,
  spec: object,
  metadata: object = {},
): Record<string, unknown> => ({
  apiVersion: `${place.group}/v1`,
  kind: "Widget",
  metadata: { name, ...metadata },
  spec,
});
export const widgetWithStatus = (place: Place, name: string, status: object): Record<string, unknown> => ({
  apiVersion: `${place.group}/v1`,
  kind: "Widget",
  metadata: { name },
  status,
});
export const configMap = (name: string, data: object, metadata: object = {}): Record<string, unknown> => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Makes the namespace and the CRD, and waits until its objects can be written. */
export async function prepare(api: Api, place: Place): Promise<void> {
  await expectCode(201, api.post("/api/v1/namespaces", { metadata: { name: place.namespace } }));
  await expectCode(201, api.post(definitions, definition(place.group)));
  await until(async () => (await api.get(place.widgets)).code === 200);
}

/** Asks until it holds; fails after ten seconds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("what was waited for did not come within ten seconds");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The body of an answer that has to have a code. */
export async function expectCode(code: number, answer: Promise<Answer>): Promise<Body> {
  const { code: got, body } = await answer;
  if (got !== code) throw new Error(`expected ${code}, got ${got}: ${JSON.stringify(body)}`);
  return body;
}

/** `field: message` of every cause, sorted: the real server orders them by chance. */
export const causesOf = (body: Body): string[] =>
  (body.details.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`).sort();

/** The managers of an object: `name operation subresource` → fields. */
export const managersOf = (body: Body): Record<string, unknown> =>
  Object.fromEntries(
    (body.metadata.managedFields ?? []).map((entry) => [
      [entry.manager, entry.operation, entry.subresource].filter(Boolean).join(" "),
      entry.fieldsV1,
    ]),
  );
