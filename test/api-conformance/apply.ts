import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import {
  causesOf,
  configMap,
  expectCode,
  managersOf,
  placeOf,
  prepare,
  widget,
  widgetWithStatus,
} from "./objects.ts";
import type { Api } from "./target.ts";

/** Server-side apply and who owns what. */
export function apply(api: () => Api): void {
  const place = placeOf("apply");
  const at = (name: string): string => `${place.widgets}/${name}`;
  describe("server-side apply", () => {
    beforeAll(() => prepare(api(), place));

    test("creates, and owns exactly what it says", async () => {
      const spec = {
        size: 3,
        ports: [{ port: 1, proto: "x" }],
        tags: ["a"],
        list: ["q"],
        any: { z: { y: 1 } },
        numbers: { a: 1 },
        amount: 3,
      };
      const answer = await api().apply(at("created"), "m1", widget(place, "created", spec));
      assert.equal(answer.code, 201);
      assert.deepEqual(answer.body.spec, { ...spec, color: "red" });
      assert.deepEqual(managersOf(answer.body), {
        "m1 Apply": {
          "f:spec": {
            "f:amount": {},
            "f:any": { "f:z": { ".": {}, "f:y": {} } },
            "f:list": {},
            "f:numbers": { "f:a": {} },
            "f:ports": { 'k:{"port":1}': { ".": {}, "f:port": {}, "f:proto": {} } },
            "f:size": {},
            "f:tags": { 'v:"a"': {} },
          },
        },
      });
    });
    test("needs a field manager", async () => {
      const body = await expectCode(
        422,
        api().send(
          "PATCH",
          at("nobody"),
          widget(place, "nobody", { size: 1 }),
          "application/apply-patch+yaml",
        ),
      );
      assert.deepEqual(causesOf(body), ["fieldManager: Required value: is required for apply patch"]);
    });
    test("again changes nothing", async () => {
      const first = await expectCode(201, api().apply(at("noop"), "m1", widget(place, "noop", { size: 3 })));
      const second = await expectCode(200, api().apply(at("noop"), "m1", widget(place, "noop", { size: 3 })));
      assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
    });
    test("a second manager with the same values shares them; then nothing changes any more", async () => {
      const first = await expectCode(
        201,
        api().apply(at("shared"), "m1", widget(place, "shared", { size: 3 })),
      );
      const second = await expectCode(
        200,
        api().apply(at("shared"), "m2", widget(place, "shared", { size: 3 })),
      );
      const third = await expectCode(
        200,
        api().apply(at("shared"), "m2", widget(place, "shared", { size: 3 })),
      );
      assert.notEqual(second.metadata.resourceVersion, first.metadata.resourceVersion);
      assert.equal(third.metadata.resourceVersion, second.metadata.resourceVersion);
      assert.equal(second.metadata.generation, 1);
      const dropped = await expectCode(200, api().apply(at("shared"), "m1", widget(place, "shared", {})));
      assert.equal(dropped.spec.size, 3);
    });
    test("another's fields are a conflict, and force takes them", async () => {
      const others = { size: 4, ports: [{ port: 1, proto: "y" }], list: ["r"] };
      await expectCode(
        201,
        api().apply(
          at("conflict"),
          "m1",
          widget(place, "conflict", { size: 3, ports: [{ port: 1, proto: "x" }], list: ["q"] }),
        ),
      );
      const body = await expectCode(
        409,
        api().apply(at("conflict"), "m2", widget(place, "conflict", others)),
      );
      assert.equal(body.reason, "Conflict");
      assert.deepEqual(causesOf(body), [
        '.spec.list: conflict with "m1"',
        '.spec.ports[port=1].proto: conflict with "m1"',
        '.spec.size: conflict with "m1"',
      ]);
      const forced = await expectCode(
        200,
        api().apply(at("conflict"), "m2", widget(place, "conflict", others), true),
      );
      assert.deepEqual(managersOf(forced)["m1 Apply"], {
        "f:spec": { "f:ports": { 'k:{"port":1}': { ".": {}, "f:port": {} } } },
      });
      assert.deepEqual(forced.spec, { ...others, color: "red" });
    });
    test("one conflict is told in one line", async () => {
      await expectCode(201, api().apply(at("one"), "m1", widget(place, "one", { size: 3 })));
      const body = await expectCode(409, api().apply(at("one"), "m2", widget(place, "one", { size: 4 })));
      assert.equal(body.message, 'Apply failed with 1 conflict: conflict with "m1": .spec.size');
    });
    test("a manager by update is named with its version", async () => {
      await expectCode(201, api().post(place.widgets, widget(place, "updated", { size: 3 })));
      const body = await expectCode(
        409,
        api().apply(at("updated"), "m2", widget(place, "updated", { size: 4 })),
      );
      assert.deepEqual(causesOf(body), [`.spec.size: conflict with "conformance" using ${place.group}/v1`]);
    });
    test("dropped fields go, unless another owns them", async () => {
      await expectCode(
        201,
        api().apply(
          at("dropped"),
          "m1",
          widget(place, "dropped", {
            size: 3,
            mode: "a",
            ports: [{ port: 1 }, { port: 2 }],
            conf: { a: "1", b: "2" },
          }),
        ),
      );
      await expectCode(
        200,
        api().apply(at("dropped"), "m2", widget(place, "dropped", { ports: [{ port: 2 }] })),
      );
      const body = await expectCode(
        200,
        api().apply(at("dropped"), "m1", widget(place, "dropped", { size: 3, conf: { a: "1" } })),
      );
      assert.deepEqual(body.spec, { size: 3, color: "red", ports: [{ port: 2 }], conf: { a: "1" } });
    });
    test("the items of an apply come first, in its order", async () => {
      await expectCode(
        201,
        api().apply(
          at("order"),
          "m1",
          widget(place, "order", {
            size: 3,
            tags: ["x", "y"],
            ports: [{ port: 5 }, { port: 6 }, { port: 7 }],
          }),
        ),
      );
      const body = await expectCode(
        200,
        api().apply(
          at("order"),
          "m2",
          widget(place, "order", {
            tags: ["z9", "y"].slice(1),
            ports: [{ port: 9 }, { port: 7 }, { port: 5 }],
          }),
        ),
      );
      assert.deepEqual(body.spec.ports, [{ port: 6 }, { port: 9 }, { port: 7 }, { port: 5 }]);
      assert.deepEqual(body.spec.tags, ["x", "y"]);
    });
    test("an emptied map of a custom resource is null, and refused", async () => {
      await expectCode(
        201,
        api().apply(at("emptied"), "m1", widget(place, "emptied", { size: 3, conf: { l: "v" } })),
      );
      const body = await expectCode(
        422,
        api().apply(at("emptied"), "m1", widget(place, "emptied", { size: 3, conf: {} })),
      );
      assert.ok(
        causesOf(body).includes(
          'spec.conf: Invalid value: "null": spec.conf in body must be of type object: "null"',
        ),
      );
    });
    test("empty labels make a change most times", async () => {
      const versions = new Set<string | undefined>();
      for (let i = 0; i < 20; i++) {
        const { body } = await api().apply(
          at("empty"),
          "m1",
          widget(place, "empty", { size: 3 }, { labels: {} }),
        );
        versions.add(body.metadata.resourceVersion);
      }
      // The real server leaves out one in twenty, in some hours one in three.
      assert.ok(versions.size > 5, `${versions.size} versions of 20`);
    });
    test("unknown fields and wrong types are a 500", async () => {
      await expectCode(201, api().apply(at("typed"), "m1", widget(place, "typed", { size: 3 })));
      const unknown = await expectCode(
        500,
        api().apply(at("typed"), "m1", widget(place, "typed", { bogus: 1 })),
      );
      assert.equal(
        unknown.message,
        `failed to create typed patch object (/typed; ${place.group}/v1, Kind=Widget): .spec.bogus: field not declared in schema`,
      );
      const wrong = await expectCode(
        500,
        api().apply(
          at("typed"),
          "m1",
          widget(place, "typed", { size: "x", ports: [{ port: 1 }, { port: 1 }], numbers: 3 }),
        ),
      );
      assert.match(wrong.message, /\.spec\.size: expected numeric \(int or float\), got string/);
      assert.match(wrong.message, /\.spec\.ports: duplicate entries for key \[port=1\]/);
      assert.match(wrong.message, /\.spec\.numbers: expected map, got &\{3\}/);
    });
    test("a version is a precondition, a uid names one object", async () => {
      const made = await expectCode(
        201,
        api().apply(at("guarded"), "m1", widget(place, "guarded", { size: 3 })),
      );
      const stale = await expectCode(
        409,
        api().apply(at("guarded"), "m1", widget(place, "guarded", { size: 4 }, { resourceVersion: "1" })),
      );
      assert.equal(stale.details.causes, undefined);
      await expectCode(
        200,
        api().apply(
          at("guarded"),
          "m1",
          widget(place, "guarded", { size: 4 }, { resourceVersion: made.metadata.resourceVersion }),
        ),
      );
      const other = await expectCode(
        422,
        api().apply(at("guarded"), "m1", widget(place, "guarded", { size: 5 }, { uid: "1" })),
      );
      assert.ok(causesOf(other).includes('metadata.uid: Invalid value: "1": field is immutable'));
      const absent = await expectCode(
        409,
        api().apply(at("absent"), "m1", widget(place, "absent", { size: 5 }, { uid: "1" })),
      );
      assert.match(
        absent.message,
        /uid mismatch: the provided object specified uid 1, and no existing object was found/,
      );
      await expectCode(
        201,
        api().apply(at("fresh"), "m1", widget(place, "fresh", { size: 5 }, { resourceVersion: "1" })),
      );
    });
    test("status through its own door", async () => {
      await expectCode(
        404,
        api().apply(`${at("nostatus")}/status`, "m3", widgetWithStatus(place, "nostatus", { phase: "x" })),
      );
      await expectCode(
        201,
        api().apply(at("status"), "m1", {
          ...widget(place, "status", { size: 3 }),
          status: { phase: "ignored" },
        }),
      );
      const body = await expectCode(
        200,
        api().apply(
          `${at("status")}/status`,
          "m3",
          widgetWithStatus(place, "status", { phase: "x", conditions: [{ type: "A", status: "True" }] }),
        ),
      );
      assert.deepEqual(body.status, { phase: "x", conditions: [{ type: "A", status: "True" }] });
      assert.deepEqual(managersOf(body), {
        "m1 Apply": { "f:spec": { "f:size": {} } },
        "m3 Apply status": {
          "f:status": {
            "f:conditions": { 'k:{"type":"A"}': { ".": {}, "f:status": {}, "f:type": {} } },
            "f:phase": {},
          },
        },
      });
      assert.equal(body.metadata.generation, 1);
      const own = await expectCode(
        200,
        api().apply(
          `${at("status")}/status`,
          "m4",
          widgetWithStatus(place, "status", { conditions: [{ type: "B", status: "True" }] }),
        ),
      );
      assert.deepEqual((own.status as { conditions: unknown }).conditions, [
        { type: "A", status: "True" },
        { type: "B", status: "True" },
      ]);
      const conflict = await expectCode(
        409,
        api().apply(
          `${at("status")}/status`,
          "m4",
          widgetWithStatus(place, "status", {
            conditions: [
              { type: "A", status: "False" },
              { type: "B", status: "True" },
            ],
          }),
        ),
      );
      assert.deepEqual(causesOf(conflict), [
        '.status.conditions[type="A"].status: conflict with "m3" with subresource "status"',
      ]);
      const wrongUid = {
        ...widgetWithStatus(place, "status", { phase: "y" }),
        metadata: { name: "status", uid: "1" },
      };
      await expectCode(200, api().apply(`${at("status")}/status`, "m3", wrongUid));
    });
    test("taking over the fields of an updater by editing managedFields", async () => {
      const made = await expectCode(
        201,
        api().post(place.widgets, widget(place, "takeover", { size: 3, mode: "a" })),
      );
      const [entry] = made.metadata.managedFields ?? [];
      const mine = [{ ...entry, manager: "ours", operation: "Apply" }];
      const taken = await expectCode(
        200,
        api().jsonPatch(at("takeover"), [
          { op: "replace", path: "/metadata/managedFields", value: mine },
          { op: "replace", path: "/metadata/resourceVersion", value: made.metadata.resourceVersion },
        ]),
      );
      assert.deepEqual(Object.keys(managersOf(taken)), ["ours Apply"]);
      const body = await expectCode(
        200,
        api().apply(at("takeover"), "ours", widget(place, "takeover", { size: 3 })),
      );
      assert.equal(body.spec.mode, undefined);
    });
    test("resetting managedFields, then before-first-apply", async () => {
      await expectCode(201, api().post(place.widgets, widget(place, "reset", { size: 3 })));
      const reset = await expectCode(
        200,
        api().jsonPatch(at("reset"), [{ op: "replace", path: "/metadata/managedFields", value: [{}] }]),
      );
      assert.equal(reset.metadata.managedFields, undefined);
      const touched = await expectCode(200, api().merge(at("reset"), { metadata: { labels: { a: "b" } } }));
      assert.equal(touched.metadata.managedFields, undefined);
      const body = await expectCode(409, api().apply(at("reset"), "m1", widget(place, "reset", { size: 4 })));
      assert.deepEqual(causesOf(body), [
        `.spec.size: conflict with "before-first-apply" using ${place.group}/v1`,
      ]);
    });
    test("managedFields and other names in the body are refused", async () => {
      await expectCode(201, api().apply(at("body"), "m1", widget(place, "body", { size: 3 })));
      const managed = await expectCode(
        400,
        api().apply(at("body"), "m1", widget(place, "body", { size: 3 }, { managedFields: [] })),
      );
      assert.equal(managed.message, "metadata.managedFields must be nil");
      const name = await expectCode(400, api().apply(at("body"), "m1", widget(place, "other", { size: 3 })));
      assert.equal(name.message, "the name of the object (other) does not match the name on the URL (body)");
    });
    test("an update takes fields from an applier", async () => {
      await expectCode(201, api().apply(at("lost"), "m1", widget(place, "lost", { size: 3, mode: "a" })));
      const body = await expectCode(200, api().merge(at("lost"), { spec: { size: 4 } }));
      assert.deepEqual(managersOf(body), {
        "m1 Apply": { "f:spec": { "f:mode": {} } },
        "conformance Update": { "f:spec": { "f:size": {} } },
      });
    });
    test("a Deployment: normalised, granular, merged by key", async () => {
      const path = `/apis/apps/v1/namespaces/${place.namespace}/deployments/web`;
      const web = (container: object, spec: object = {}): object => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          ...spec,
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "x", ...container }] } },
        },
      });
      const made = await expectCode(
        201,
        api().apply(
          path,
          "m1",
          web({ image: "i:1", ports: [{ containerPort: 80 }], resources: { requests: { cpu: "1000m" } } }),
        ),
      );
      const again = await expectCode(
        200,
        api().apply(
          path,
          "m1",
          web({ image: "i:1", ports: [{ containerPort: 80 }], resources: { requests: { cpu: "1000m" } } }),
        ),
      );
      assert.equal(again.metadata.resourceVersion, made.metadata.resourceVersion);
      assert.equal(made.spec.replicas, 1);
      const conflict = await expectCode(409, api().apply(path, "m2", web({ image: "i:2" })));
      assert.deepEqual(causesOf(conflict), [
        '.spec.template.spec.containers[name="x"].image: conflict with "m1"',
      ]);
      const patched = await expectCode(
        200,
        api().strategic(path, {
          spec: { template: { spec: { containers: [{ name: "x", env: [{ name: "A", value: "1" }] }] } } },
        }),
      );
      assert.equal(patched.metadata.generation, 2);
      const [container] = (
        patched.spec as { template: { spec: { containers: { image: string; env: unknown }[] } } }
      ).template.spec.containers;
      assert.equal(container?.image, "i:1");
      assert.deepEqual(container?.env, [{ name: "A", value: "1" }]);
    });
    test("a ConfigMap: keys are owned one by one", async () => {
      const path = `${place.configMaps}/keys`;
      await expectCode(201, api().apply(path, "m1", configMap("keys", { a: "1", b: "2" })));
      await expectCode(200, api().apply(path, "m2", configMap("keys", { c: "3" })));
      const body = await expectCode(200, api().apply(path, "m1", configMap("keys", { a: "1" })));
      assert.deepEqual(body.data, { a: "1", c: "3" });
    });
  });
}
