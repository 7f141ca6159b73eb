import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { definition } from "./definitions.ts";
import { causesOf, configMap, expectCode, until } from "./objects.ts";
import type { Answer, Api } from "./target.ts";

const group = "embedded.conformance.dev";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const holders = `/apis/${group}/v1/namespaces/default/holders`;
const resource = { type: "object", "x-kubernetes-embedded-resource": true };
const schema = {
  type: "object",
  properties: {
    one: { ...resource, "x-kubernetes-preserve-unknown-fields": true },
    list: { type: "array", items: { ...resource, properties: { spec: { type: "object" } } } },
  },
};

const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** Objects within objects. */
export function embedded(api: () => Api): void {
  const post = (spec: object, query = "", metadata: object = {}): Promise<Answer> =>
    api().post(`${holders}?dryRun=All${query}`, {
      apiVersion: `${group}/v1`,
      kind: "Holder",
      metadata: { name: "a", ...metadata },
      spec,
    });
  const one = (metadata: unknown, more: object = {}): object => ({
    one: { apiVersion: "v1", kind: "Pod", metadata, ...more },
  });

  describe("embedded resources", () => {
    beforeAll(async () => {
      const made = JSON.stringify(definition(schema))
        .replaceAll("definitions.conformance.dev", group)
        .replaceAll("things", "holders")
        .replaceAll("Thing", "Holder");
      await expectCode(201, api().post(crds, made));
      await until(async () => (await api().get(holders)).code === 200);
      // Discovery comes before storage on the real server.
      await until(async () => (await post({})).code === 201);
    });
    test("their metadata keeps what metadata has", async () => {
      const answer = await post(one({ name: "x", bogus: 1, creationTimestamp: null }));
      assert.deepEqual(answer.body.spec, one({ name: "x" }));
      assert.match(answer.warning ?? "", /unknown field \\"spec\.one\.metadata\.bogus\\"/);
      const strict = await expectCode(400, post(one({ bogus: 1 }), "&fieldValidation=Strict"));
      assert.equal(
        strict.message,
        'Holder in version "v1" cannot be handled as a Holder: strict decoding error: unknown field "spec.one.metadata.bogus"',
      );
    });
    test("so do those in lists", async () => {
      const list = [{ apiVersion: "v1", kind: "Pod", metadata: { bogus: 1, name: "x" }, spec: { zz: 1 } }];
      const { body } = await post({ list });
      assert.deepEqual(body.spec.list, [
        { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: {} },
      ]);
    });
    test("metadata of the wrong shape cannot be read", async () => {
      for (const [metadata, why] of [
        ["x", '"x": json: cannot unmarshal string into Go value of type v1.ObjectMeta'],
        [
          { labels: { a: 1 } },
          '{"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
        ],
        [
          { creationTimestamp: "yesterday" },
          '{"creationTimestamp":"yesterday"}: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
        ],
      ] as const) {
        const body = await expectCode(400, post(one(metadata)));
        assert.equal(
          body.message,
          `Holder in version "v1" cannot be handled as a Holder: spec.one.metadata: Invalid value: ${why}`,
        );
      }
    });
    test("labels, annotations and types are judged", async () => {
      const labels = await expectCode(422, post(one({ name: "A_b", labels: { "a b": "c" } })));
      assert.deepEqual(causesOf(labels), [`spec.one.metadata.labels: Invalid value: "a b": ${namePart}`]);
      const types = await expectCode(422, post({ one: { apiVersion: "a/b/c", kind: "a b" } }));
      assert.deepEqual(causesOf(types), [
        'spec.one.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        "spec.one.kind: Invalid value: \"a b\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ]);
    });
    test("a finalizer without a domain is warned of when it comes to a custom resource", async () => {
      const { warning } = await post({}, "", { finalizers: ["nodomain", "example.org/f"] });
      assert.equal(
        warning,
        '299 - "metadata.finalizers: \\"nodomain\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"',
      );
    });
    test("a patch of the wrong type is the patch's fault", async () => {
      const path = "/api/v1/namespaces/default/configmaps";
      await expectCode(201, api().post(path, configMap("typed", { a: "1" })));
      const body = await expectCode(422, api().strategic(`${path}/typed`, { immutable: "yes" }));
      assert.equal(
        body.message,
        ' "" is invalid: patch: Invalid value: "map[immutable:yes]": unrecognized type: bool',
      );
    });
  });
}
