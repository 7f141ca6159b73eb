import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { ANNOTATIONS, Manifest } from "../../kinds/index.ts";
import { defaultObjects, defaultObjectsToRecord } from "./default-objects.ts";

const store = (name: string, version = "v1") => ({
  ...{ apiVersion: `acme.test/${version}`, kind: "Store", name, namespace: "kyma-system" },
});
const manifestOf = (resource: object | undefined, record?: string) =>
  parseObject(Manifest, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Manifest",
    metadata: {
      ...{ name: "rt-1-alpha", namespace: "kcp-system", uid: "u", resourceVersion: "1" },
      ...(record !== undefined && { annotations: { [ANNOTATIONS.defaultObjects]: record } }),
    },
    spec: { remote: true, install: { name: "raw-manifest", source: {} }, ...(resource && { resource }) },
  });
const resource = (name: string, version = "v1") => ({
  apiVersion: `acme.test/${version}`,
  kind: "Store",
  metadata: { name },
});

describe("the default configuration objects of a module", () => {
  it("are that of its version, and it is recorded", () => {
    const manifest = manifestOf(resource("one"));
    assert.deepEqual(defaultObjects(manifest), [store("one")]);
    assert.equal(defaultObjectsToRecord(manifest), JSON.stringify([store("one")]));
  });
  it("are those of former versions too, the present one first", () => {
    const record = JSON.stringify([store("one")]);
    const manifest = manifestOf(resource("two"), record);
    assert.deepEqual(defaultObjects(manifest), [store("two"), store("one")]);
    assert.deepEqual(JSON.parse(defaultObjectsToRecord(manifest) ?? ""), [store("two"), store("one")]);
    assert.deepEqual(defaultObjects(manifestOf(undefined, record)), [store("one")]);
    assert.equal(defaultObjectsToRecord(manifestOf(undefined, record)), undefined);
  });
  it("begin with the present one where a former version had it too", () => {
    const record = JSON.stringify([store("two"), store("one")]);
    assert.deepEqual(defaultObjects(manifestOf(resource("one", "v2"), record)), [
      store("one", "v2"),
      store("two"),
    ]);
    const later = JSON.stringify([store("one"), store("two")]);
    assert.deepEqual(defaultObjects(manifestOf(resource("one", "v2"), later)), [
      store("one", "v2"),
      store("two"),
    ]);
  });
  it("are the same in another version of their kind: the present one counts", () => {
    const manifest = manifestOf(resource("one", "v2"), JSON.stringify([store("one")]));
    assert.deepEqual(defaultObjects(manifest), [store("one", "v2")]);
    assert.equal(defaultObjectsToRecord(manifest), undefined);
  });
  it.each(["", "no JSON", "[7]", '[{"kind":"Store"}]', "{}"])(
    "are none in a record that is none: %s",
    (record) => assert.deepEqual(defaultObjects(manifestOf(undefined, record)), []),
  );
  it("are none where no version has one, and nothing is recorded", () => {
    assert.deepEqual(defaultObjects(manifestOf(undefined)), []);
    assert.equal(defaultObjectsToRecord(manifestOf(undefined)), undefined);
  });
});
