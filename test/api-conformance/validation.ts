import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { causesOf, configMap, expectCode, placeOf, prepare, widget } from "./objects.ts";
import type { Api } from "./target.ts";

const skipped =
  "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/** What the schema of a CRD refuses, fills in and drops. */
export function validation(api: () => Api): void {
  const place = placeOf("validation");
  describe("validation of custom resources", () => {
    beforeAll(() => prepare(api(), place));
    const refused = (spec: object, causes: readonly string[]) => async () => {
      const body = await expectCode(422, api().post(place.widgets, widget(place, "refused", spec)));
      assert.equal(body.reason, "Invalid");
      assert.equal(body.details.kind, "Widget");
      assert.equal(body.details.group, place.group);
      assert.deepEqual(causesOf(body), [...causes].sort());
    };

    test("a missing field is named", refused({}, ["spec.size: Required value", skipped]));
    test(
      "a wrong type is named",
      refused({ size: "x", flag: "true", numbers: { a: "x" } }, [
        'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
        'spec.flag: Invalid value: "string": spec.flag in body must be of type boolean: "string"',
        'spec.numbers.a: Invalid value: "string": spec.numbers.a in body must be of type integer: "string"',
        skipped,
      ]),
    );
    test(
      "bounds, enumerations, patterns and lengths",
      refused({ size: 99, mode: "q", text: "ab", list: ["a", "b", "c"] }, [
        "spec.size: Invalid value: 99: spec.size in body should be less than or equal to 10",
        'spec.mode: Unsupported value: "q": supported values: "a", "b"',
        "spec.text: Invalid value: \"ab\": spec.text in body should match '^a+$'",
        "spec.list: Too many: 3: must have at most 2 items",
        skipped,
      ]),
    );
    test(
      "short texts",
      refused({ size: 1, text: "a" }, [
        'spec.text: Invalid value: "a": spec.text in body should be at least 2 chars long',
      ]),
    );
    test(
      "long texts",
      refused({ size: 1, text: "aaaaaa" }, ["spec.text: Too long: may not be more than 5 bytes", skipped]),
    );
    test(
      "formats and int-or-string",
      refused({ size: 1, when: "now", amount: true }, [
        'spec.when: Invalid value: "now": spec.when in body must be of type date-time: "now"',
        'spec.amount: Invalid value: "boolean": spec.amount in body must be of type integer,string: "boolean"',
        skipped,
      ]),
    );
    test(
      "sets and list maps hold each item once",
      refused({ size: 1, tags: ["a", "a"], ports: [{ port: 1 }, { port: 1 }] }, [
        'spec.tags[1]: Duplicate value: "a"',
        'spec.ports[1]: Duplicate value: {"port":1}',
      ]),
    );
    test(
      "embedded resources have a type",
      refused({ size: 1, embedded: {} }, [
        "spec.embedded.apiVersion: Required value",
        "spec.embedded.kind: Required value",
        skipped,
      ]),
    );
    test("a rule with a message", refused({ size: 9 }, ["spec: Invalid value: too big"]));
    test(
      "a rule without a message",
      refused({ size: 7 }, ["spec: Invalid value: failed rule: self.size != 7"]),
    );
    test(
      "a rule with macros and functions",
      refused({ size: 1, tags: ["zz"] }, ["spec: Invalid value: bad tag"]),
    );

    test("a transition rule sees the old value", async () => {
      await expectCode(201, api().post(place.widgets, widget(place, "transition", { size: 1, mode: "a" })));
      const body = await expectCode(422, api().merge(`${place.widgets}/transition`, { spec: { mode: "b" } }));
      assert.deepEqual(causesOf(body), ["spec.mode: Forbidden: mode was a"]);
    });
    test("defaults are filled in and unknown fields dropped with a warning", async () => {
      const answer = await api().post(
        place.widgets,
        widget(place, "pruned", { size: 1, bogus: 1, ports: [{ port: 1, x: 2 }], any: { kept: 1 } }),
      );
      assert.equal(answer.code, 201);
      assert.deepEqual(answer.body.spec, { size: 1, color: "red", ports: [{ port: 1 }], any: { kept: 1 } });
      assert.match(answer.warning ?? "", /unknown field \\"spec\.bogus\\"/);
      assert.match(answer.warning ?? "", /unknown field \\"spec\.ports\[0\]\.x\\"/);
    });
    test("an unknown field is named whatever it is called, and many have an end", async () => {
      const odd = await api().post(place.widgets, widget(place, "odd", { size: 1, 世界: 1 }));
      assert.equal(odd.code, 201);
      const said = Buffer.from(odd.warning ?? "", "latin1").toString();
      assert.equal(said, '299 - "unknown field \\"spec.世界\\""');
      const many = Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`${"n".repeat(300)}${index}`, 1]),
      );
      const long = await api().post(place.widgets, widget(place, "many", { size: 1, ...many }));
      assert.equal(long.code, 201);
      assert.equal(long.warning?.split(", ").length, 16);
    });
    test("strict validation refuses unknown and doubled fields", async () => {
      const text = JSON.stringify(widget(place, "strict", { size: 1, bogus: 1 })).replace(
        '"size":1',
        '"size":1,"size":2',
      );
      const body = await expectCode(400, api().send("POST", `${place.widgets}?fieldValidation=Strict`, text));
      assert.equal(
        body.message,
        'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.size", unknown field "spec.bogus"',
      );
    });
    test("ignoring validation says nothing", async () => {
      const answer = await api().post(
        `${place.widgets}?fieldValidation=Ignore`,
        widget(place, "ignored", { size: 1, bogus: 1 }),
      );
      assert.equal(answer.code, 201);
      assert.equal(answer.warning, undefined);
    });
    test("null: nullable stays, a default takes its place, else it is dropped", async () => {
      const body = await expectCode(
        201,
        api().post(place.widgets, widget(place, "nulls", { size: 1, none: null, color: null, conf: null })),
      );
      assert.deepEqual(body.spec, { size: 1, none: null, color: "red" });
    });
    test("names, labels, annotations and owners", async () => {
      const long = await expectCode(422, api().post(place.widgets, widget(place, "A_b", { size: 1 })));
      assert.match(
        causesOf(long)[0] ?? "",
        /^metadata\.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must/,
      );
      const body = await expectCode(
        422,
        api().post(
          place.widgets,
          widget(
            place,
            "x",
            { size: 1 },
            {
              labels: { "a b": "c d" },
              annotations: { "x y": "" },
              ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "", uid: "" }],
            },
          ),
        ),
      );
      assert.deepEqual(body.details.causes.map((cause) => cause.field).sort(), [
        "metadata.annotations",
        "metadata.labels",
        "metadata.labels",
        "metadata.ownerReferences.name",
        "metadata.ownerReferences.uid",
      ]);
    });
    test("finalizers of built-in kinds are standard ones or have a domain", async () => {
      const object = configMap("finalized", { a: "1" }, { finalizers: ["nodomain"] });
      const body = await expectCode(422, api().post(place.configMaps, object));
      assert.deepEqual(causesOf(body), [
        'metadata.finalizers[0]: Invalid value: "nodomain": name is neither a standard finalizer name nor is it fully qualified',
      ]);
    });
    test("only a deletion sets the time of deletion", async () => {
      await expectCode(201, api().post(place.configMaps, configMap("alive", { a: "1" })));
      const metadata = { deletionTimestamp: "2020-01-01T00:00:00Z" };
      const body = await expectCode(422, api().merge(`${place.configMaps}/alive`, { metadata }));
      assert.match(body.message, /metadata\.deletionTimestamp: Invalid value: .*: field is immutable$/);
    });
    test("fewer than no replicas cannot be asked for", async () => {
      await expectCode(201, api().post(place.widgets, widget(place, "few", { size: 1, replicas: 1 })));
      const body = await expectCode(
        422,
        api().merge(`${place.widgets}/few/scale`, { spec: { replicas: -7 } }),
      );
      assert.deepEqual(causesOf(body), [
        ".spec.replicas: Invalid value: -7: should be a non-negative integer",
      ]);
    });
    test("no name at all", async () => {
      const body = await expectCode(
        422,
        api().post(place.widgets, { apiVersion: `${place.group}/v1`, kind: "Widget", spec: { size: 1 } }),
      );
      assert.ok(causesOf(body).includes("metadata.name: Required value: name or generateName is required"));
    });
    test("what is wrong already may stay", async () => {
      const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${place.group}`;
      await expectCode(201, api().post(place.widgets, widget(place, "ratchet", { size: 8 })));
      const at = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum";
      await expectCode(200, api().jsonPatch(crd, [{ op: "replace", path: at, value: 5 }]));
      const wait = Date.now() + 10_000;
      for (;;) {
        if (
          (await api().post(`${place.widgets}?dryRun=All`, widget(place, "probe", { size: 6 }))).code === 422
        )
          break;
        assert.ok(Date.now() < wait, "the new schema did not come");
      }
      await expectCode(200, api().merge(`${place.widgets}/ratchet`, { spec: { flag: true } }));
      await expectCode(422, api().merge(`${place.widgets}/ratchet`, { spec: { size: 6 } }));
      await expectCode(200, api().jsonPatch(crd, [{ op: "replace", path: at, value: 10 }]));
    });
    test("built-in objects of the wrong shape cannot be decoded", async () => {
      const body = await expectCode(400, api().post(place.configMaps, configMap("wrong", { a: 1 })));
      assert.equal(
        body.message,
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      );
    });
  });
}
