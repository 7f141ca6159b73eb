import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { causesOf, configMap, expectCode, placeOf, prepare, widget, widgetWithStatus } from "./objects.ts";
import type { Api } from "./target.ts";

/** Create, read, replace, patch, delete; generations, versions and finalizers. */
export function life(api: () => Api): void {
  const place = placeOf("life");
  const at = (name: string): string => `${place.widgets}/${name}`;
  const make = (name: string, metadata: object = {}, spec: object = { size: 1 }) =>
    expectCode(201, api().post(place.widgets, widget(place, name, spec, metadata)));
  describe("the life of objects", () => {
    beforeAll(() => prepare(api(), place));

    test("a new object gets what the server gives", async () => {
      const body = await make("new", {
        uid: "mine",
        generation: 7,
        deletionTimestamp: "2024-01-01T00:00:00Z",
      });
      assert.match(body.metadata.uid ?? "", /^[0-9a-f-]{36}$/);
      assert.equal(body.metadata.generation, 1);
      assert.equal(body.metadata.namespace, place.namespace);
      assert.equal(body.metadata.deletionTimestamp, undefined);
      assert.match(body.metadata.creationTimestamp ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.deepEqual((await api().get(at("new"))).body, body);
    });
    test("generateName", async () => {
      const body = await expectCode(
        201,
        api().post(place.widgets, { ...widget(place, "", { size: 1 }), metadata: { generateName: "some-" } }),
      );
      assert.match(body.metadata.name, /^some-[a-z0-9]{5}$/);
    });
    test("twice is a conflict, absent is 404", async () => {
      await make("twice");
      const body = await expectCode(409, api().post(place.widgets, widget(place, "twice", { size: 1 })));
      assert.equal(body.reason, "AlreadyExists");
      assert.equal(body.message, `widgets.${place.group} "twice" already exists`);
      const absent = await expectCode(404, api().get(at("absent")));
      assert.deepEqual(absent.details, { name: "absent", group: place.group, kind: "widgets" });
      assert.equal((await api().get("/apis/nope.dev/v1/things")).text.trim(), "404 page not found");
      assert.equal(
        (await expectCode(404, api().get("/api/v1/nothings"))).message,
        "the server could not find the requested resource",
      );
    });
    test("the body has to agree with the path", async () => {
      const kind = await expectCode(
        422,
        api().post(place.widgets, { ...widget(place, "x", { size: 1 }), kind: "Gidget" }),
      );
      assert.deepEqual(causesOf(kind), ['kind: Invalid value: "Gidget": must be Widget']);
      await expectCode(
        400,
        api().post(place.widgets, { ...widget(place, "x", { size: 1 }), apiVersion: `${place.group}/v9` }),
      );
      await expectCode(400, api().post(place.widgets, { metadata: { name: "x" } }));
      await expectCode(
        400,
        api().post(place.widgets, widget(place, "x", { size: 1 }, { namespace: "other" })),
      );
      await expectCode(400, api().send("POST", place.widgets, "{"));
      await expectCode(415, api().send("POST", place.widgets, "x", "text/plain"));
      await expectCode(
        500,
        api().post(place.widgets, widget(place, "x", { size: 1 }, { resourceVersion: "12" })),
      );
    });
    test("a namespace that is missing", async () => {
      const body = await expectCode(
        404,
        api().post("/api/v1/namespaces/nowhere/configmaps", configMap("x", {})),
      );
      assert.deepEqual(body.details, { name: "nowhere", kind: "namespaces" });
    });
    test("PUT names the version that it replaces", async () => {
      const made = await make("put");
      const stale = await expectCode(
        409,
        api().put(at("put"), widget(place, "put", { size: 2 }, { resourceVersion: "1" })),
      );
      assert.equal(stale.reason, "Conflict");
      const without = await expectCode(422, api().put(at("put"), widget(place, "put", { size: 2 })));
      assert.deepEqual(causesOf(without), [
        "metadata.resourceVersion: Invalid value: 0: must be specified for an update",
      ]);
      const body = await expectCode(
        200,
        api().put(
          at("put"),
          widget(place, "put", { size: 2 }, { resourceVersion: made.metadata.resourceVersion }),
        ),
      );
      assert.equal(body.metadata.generation, 2);
      assert.equal(body.metadata.uid, made.metadata.uid);
      await expectCode(
        404,
        api().put(at("putnew"), widget(place, "putnew", { size: 2 }, { resourceVersion: "1" })),
      );
      await expectCode(201, api().post(place.configMaps, configMap("put", { a: "1" })));
      await expectCode(200, api().put(`${place.configMaps}/put`, configMap("put", { a: "2" })));
      await expectCode(
        409,
        api().put(`${place.configMaps}/put`, configMap("put", { a: "2" }, { uid: "other" })),
      );
    });
    test("an update that changes nothing is none", async () => {
      const made = await make("same");
      const merged = await expectCode(200, api().merge(at("same"), { spec: { size: 1 } }));
      const put = await expectCode(200, api().put(at("same"), made));
      assert.equal(merged.metadata.resourceVersion, made.metadata.resourceVersion);
      assert.equal(put.metadata.resourceVersion, made.metadata.resourceVersion);
    });
    test("generation counts what is wished for", async () => {
      await make("generation");
      const of = async (patch: object, path = at("generation")): Promise<number | undefined> =>
        (await expectCode(200, api().merge(path, patch))).metadata.generation;
      assert.equal(await of({ metadata: { labels: { a: "b" }, annotations: { c: "d" } } }), 1);
      assert.equal(await of({ status: { phase: "x" } }), 1);
      assert.equal(await of({ status: { phase: "x" } }, `${at("generation")}/status`), 1);
      assert.equal(await of({ spec: { color: "red" } }), 1);
      assert.equal(await of({ spec: { color: "blue" } }), 2);
    });
    test("the doors of status and main leave each other alone", async () => {
      const made = await expectCode(
        201,
        api().post(place.widgets, { ...widget(place, "doors", { size: 1 }), status: { phase: "no" } }),
      );
      assert.equal(made.status, undefined);
      const status = await expectCode(
        200,
        api().merge(`${at("doors")}/status`, {
          status: { phase: "yes" },
          spec: { size: 5 },
          metadata: { labels: { a: "b" } },
        }),
      );
      assert.deepEqual(
        [status.status, status.spec.size, status.metadata.labels],
        [{ phase: "yes" }, 1, undefined],
      );
      const main = await expectCode(
        200,
        api().merge(at("doors"), { status: { phase: "no" }, spec: { size: 2 } }),
      );
      assert.deepEqual([main.status, main.spec.size], [{ phase: "yes" }, 2]);
      const put = await expectCode(
        200,
        api().put(`${at("doors")}/status`, {
          ...widgetWithStatus(place, "doors", {}),
          metadata: { name: "doors", resourceVersion: main.metadata.resourceVersion },
        }),
      );
      assert.equal(put.spec.size, 2);
    });
    test("a Deployment's annotations may come with its status, and make no new generation", async () => {
      const path = `/apis/apps/v1/namespaces/${place.namespace}/deployments`;
      const labels = { app: "annotated" };
      await expectCode(
        201,
        api().post(path, {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "annotated" },
          spec: {
            replicas: 0,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "c:1" }] } },
          },
        }),
      );
      const { metadata } = await expectCode(
        200,
        api().merge(`${path}/annotated/status`, {
          metadata: { annotations: { seen: "yes" }, labels: { a: "b" } },
        }),
      );
      assert.deepEqual(
        [metadata.annotations?.seen, metadata.labels, metadata.generation],
        ["yes", undefined, 1],
      );
    });
    test("JSON patches test before they change", async () => {
      const { uid, resourceVersion } = (await make("json")).metadata;
      const right = [
        { op: "test", path: "/metadata/uid", value: uid },
        { op: "test", path: "/metadata/generation", value: 1 },
        { op: "add", path: "/status", value: { phase: "x" } },
      ];
      await expectCode(200, api().jsonPatch(`${at("json")}/status`, right));
      const wrong = await expectCode(
        422,
        api().jsonPatch(at("json"), [
          { op: "test", path: "/metadata/uid", value: "other" },
          { op: "add", path: "/spec/size", value: 2 },
        ]),
      );
      assert.equal(wrong.message, "the server rejected our request due to an error in our request");
      await expectCode(422, api().jsonPatch(at("json"), [{ op: "remove", path: "/spec/nothing" }]));
      await expectCode(
        409,
        api().jsonPatch(at("json"), [
          { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion },
        ]),
      );
      await expectCode(400, api().jsonPatch(at("json"), { x: 1 }));
    });
    test("patch types that do not fit", async () => {
      await make("types");
      await expectCode(415, api().strategic(at("types"), { spec: { size: 2 } }));
      await expectCode(415, api().send("PATCH", at("types"), { spec: { size: 2 } }));
      await expectCode(404, api().merge(at("nothing"), {}));
      await expectCode(400, api().merge(at("types"), { metadata: { name: "other" } }));
      await expectCode(409, api().merge(at("types"), { metadata: { resourceVersion: "3" } }));
      await expectCode(422, api().merge(at("types"), { metadata: { uid: "3" } }));
    });
    test("scale", async () => {
      await make("scale", {}, { size: 1, replicas: 2 });
      const scale = await expectCode(200, api().get(`${at("scale")}/scale`));
      assert.deepEqual([scale.kind, scale.spec, scale.status], ["Scale", { replicas: 2 }, { replicas: 0 }]);
      await expectCode(200, api().merge(`${at("scale")}/scale`, { spec: { replicas: 5 } }));
      assert.equal((await api().get(at("scale"))).body.spec.replicas, 5);
    });
    test("a delete with preconditions takes only that object", async () => {
      const { uid } = (await make("guarded")).metadata;
      const wrong = await expectCode(409, api().delete(at("guarded"), { preconditions: { uid: "other" } }));
      assert.equal(
        wrong.message,
        `Operation cannot be fulfilled on Widget.${place.group} "guarded": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      );
      await expectCode(409, api().delete(at("guarded"), { preconditions: { resourceVersion: "1" } }));
      await expectCode(422, api().delete(at("guarded"), { propagationPolicy: "Some" }));
      const gone = await expectCode(200, api().delete(at("guarded"), { preconditions: { uid } }));
      assert.deepEqual(
        [gone.kind, gone.status, gone.details],
        ["Status", "Success", { name: "guarded", group: place.group, kind: "widgets", uid }],
      );
      await expectCode(404, api().delete(at("guarded")));
    });
    test("finalizers keep a deleted object", async () => {
      const made = await make("kept", { finalizers: ["conformance.dev/a"] });
      const deleted = await expectCode(200, api().delete(at("kept")));
      assert.equal(deleted.metadata.generation, 2);
      assert.ok(deleted.metadata.deletionTimestamp);
      assert.equal(
        (await api().delete(at("kept"))).body.metadata.resourceVersion,
        deleted.metadata.resourceVersion,
      );
      const added = await expectCode(
        422,
        api().merge(at("kept"), { metadata: { finalizers: ["conformance.dev/a", "conformance.dev/b"] } }),
      );
      assert.ok(
        causesOf(added).includes(
          'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"conformance.dev/b"}',
        ),
      );
      await expectCode(200, api().merge(at("kept"), { spec: { size: 2 } }));
      const last = await expectCode(
        200,
        api().jsonPatch(at("kept"), [{ op: "remove", path: "/metadata/finalizers" }]),
      );
      assert.equal(last.metadata.uid, made.metadata.uid);
      await expectCode(404, api().get(at("kept")));
    });
    test("propagation leaves its finalizer", async () => {
      await expectCode(201, api().post(place.configMaps, configMap("foreground", {})));
      const foreground = await expectCode(
        200,
        api().delete(`${place.configMaps}/foreground`, { propagationPolicy: "Foreground" }),
      );
      assert.deepEqual(foreground.metadata.finalizers, ["foregroundDeletion"]);
      await expectCode(
        200,
        api().merge(`${place.configMaps}/foreground`, { metadata: { finalizers: null } }),
      );
      await make("orphan");
      const orphan = await expectCode(200, api().delete(at("orphan"), { propagationPolicy: "Orphan" }));
      assert.deepEqual(orphan.metadata.finalizers, ["orphan"]);
      await expectCode(200, api().merge(at("orphan"), { metadata: { finalizers: null } }));
    });
    test("a dry run changes nothing", async () => {
      const body = await expectCode(
        201,
        api().post(`${place.widgets}?dryRun=All`, widget(place, "dry", { size: 1 })),
      );
      assert.equal(body.spec.color, "red");
      await expectCode(404, api().get(at("dry")));
      const made = await make("wet");
      assert.equal(
        (await expectCode(200, api().merge(`${at("wet")}?dryRun=All`, { spec: { size: 2 } }))).spec.size,
        2,
      );
      await expectCode(200, api().delete(`${at("wet")}?dryRun=All`));
      assert.equal((await api().get(at("wet"))).body.metadata.resourceVersion, made.metadata.resourceVersion);
    });
    test("a namespace that is going takes nothing new", async () => {
      const home = "/api/v1/namespaces/going";
      await expectCode(201, api().post("/api/v1/namespaces", { metadata: { name: "going" } }));
      const going = await expectCode(200, api().delete(home));
      assert.deepEqual(going.status, { phase: "Terminating" });
      const body = await expectCode(403, api().post(`${home}/configmaps`, configMap("late", {})));
      assert.deepEqual(causesOf(body), ["metadata.namespace: namespace going is being terminated"]);
      assert.equal(body.details.causes[0]?.reason, "NamespaceTerminating");
      await expectCode(
        200,
        api().put(`${home}/finalize`, {
          apiVersion: "v1",
          kind: "Namespace",
          metadata: { name: "going" },
          spec: { finalizers: [] },
        }),
      );
      await expectCode(404, api().get(home));
    });
    test("a collection is deleted by selector", async () => {
      for (const name of ["c1", "c2"]) await make(name, { labels: { team: name } });
      await expectCode(200, api().delete(`${place.widgets}?labelSelector=team%3Dc1`));
      await expectCode(404, api().get(at("c1")));
      await expectCode(200, api().get(at("c2")));
    });
  });
}
