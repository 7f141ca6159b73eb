import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { configMap, expectCode, placeOf, prepare, until, widget } from "./objects.ts";
import type { Api, Body, Line } from "./target.ts";

const metadataOf = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const metadataListOf = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const names = (body: Body): string[] => body.items.map((item) => item.metadata.name);
const told = (lines: readonly Line[]): string[] =>
  lines.map((line) => `${line.type} ${line.object.metadata.name ?? ""}`.trim());

/** Lists and watches. */
export function lists(api: () => Api): void {
  const place = placeOf("lists");
  const at = (name: string): string => `${place.widgets}/${name}`;
  const version = async (): Promise<string> =>
    (await api().get(place.widgets)).body.metadata.resourceVersion ?? "";
  describe("lists and watches", () => {
    beforeAll(async () => {
      await prepare(api(), place);
      for (const [name, color] of [
        ["a", "red"],
        ["b", "blue"],
        ["c", "red"],
      ] as const) {
        await expectCode(
          201,
          api().post(
            place.widgets,
            widget(place, name, { size: 1, color }, { labels: { color, [name]: "" } }),
          ),
        );
      }
    });

    test("selectors", async () => {
      const of = async (query: string): Promise<string[]> =>
        names(await expectCode(200, api().get(`${place.widgets}?${query}`)));
      const labels = (text: string): Promise<string[]> => of(`labelSelector=${encodeURIComponent(text)}`);
      assert.deepEqual(await of(""), ["a", "b", "c"]);
      assert.deepEqual(await labels("color=red"), ["a", "c"]);
      assert.deepEqual(await labels("color!=red"), ["b"]);
      assert.deepEqual(await labels("color in (red,blue),!a"), ["b", "c"]);
      assert.deepEqual(await labels("color notin (red)"), ["b"]);
      assert.deepEqual(await labels("a"), ["a"]);
      assert.deepEqual(await of("fieldSelector=metadata.name%3Db"), ["b"]);
      assert.deepEqual(await of("fieldSelector=spec.color%3Dred"), ["a", "c"]);
      assert.deepEqual(await of("fieldSelector=spec.color!%3Dred"), ["b"]);
      const refused = await expectCode(400, api().get(`${place.widgets}?fieldSelector=spec.size%3D1`));
      assert.equal(refused.message, "field label not supported: spec.size");
      await expectCode(400, api().get(`${place.widgets}?labelSelector=a%3D%3D,,`));
    });
    test("pages stay at the version of the first", async () => {
      const first = await expectCode(200, api().get(`${place.configMaps}?limit=1&labelSelector=page`));
      assert.deepEqual(names(first), []);
      for (const name of ["p1", "p2", "p3"])
        await expectCode(201, api().post(place.configMaps, configMap(name, {}, { labels: { page: "" } })));
      const page = await expectCode(200, api().get(`${place.configMaps}?limit=2&labelSelector=page`));
      assert.deepEqual(names(page), ["p1", "p2"]);
      await expectCode(200, api().delete(`${place.configMaps}/p3`));
      await expectCode(201, api().post(place.configMaps, configMap("p4", {}, { labels: { page: "" } })));
      const next = await expectCode(
        200,
        api().get(`${place.configMaps}?limit=2&labelSelector=page&continue=${page.metadata.continue}`),
      );
      assert.deepEqual(names(next), ["p3"]);
      assert.equal(next.metadata.resourceVersion, page.metadata.resourceVersion);
      const exact = await expectCode(
        200,
        api().get(
          `${place.configMaps}?labelSelector=page&resourceVersion=${page.metadata.resourceVersion}&resourceVersionMatch=Exact`,
        ),
      );
      assert.deepEqual(names(exact), ["p1", "p2", "p3"]);
      await expectCode(
        400,
        api().get(`${place.configMaps}?limit=2&continue=${page.metadata.continue}&resourceVersion=5`),
      );
      await expectCode(400, api().get(`${place.configMaps}?continue=abc`));
    });
    test("remaining items are counted", async () => {
      const page = await expectCode(200, api().get(`${place.widgets}?limit=1`));
      assert.equal(page.metadata.remainingItemCount, 2);
    });
    test("versions in reads", async () => {
      await expectCode(400, api().get(`${place.widgets}?resourceVersion=abc`));
      await expectCode(422, api().get(`${place.widgets}?resourceVersionMatch=Exact`));
      const future = await expectCode(
        504,
        api().get(`${place.widgets}?limit=1&resourceVersion=99999999999&resourceVersionMatch=NotOlderThan`),
      );
      assert.equal(future.details.causes[0]?.reason, "ResourceVersionTooLarge");
      const now = await version();
      await expectCode(200, api().get(`${at("a")}?resourceVersion=${now}`));
      await expectCode(200, api().get(`${at("a")}?resourceVersion=0`));
    });
    test("metadata only", async () => {
      const list = (await api().get(`${place.widgets}?limit=1`, metadataListOf)).body;
      assert.deepEqual(
        [list.kind, list.items[0]?.kind, list.items[0]?.spec],
        ["PartialObjectMetadataList", "PartialObjectMetadata", undefined],
      );
      assert.ok(list.items[0]?.metadata.managedFields);
      const one = (await api().get(at("a"), metadataOf)).body;
      assert.deepEqual([one.kind, one.metadata.name, one.spec], ["PartialObjectMetadata", "a", undefined]);
      assert.equal((await api().get(place.widgets, metadataOf)).code, 406);
    });
    test("a watch from a version tells what came after it", async () => {
      const from = await version();
      await expectCode(201, api().post(place.widgets, widget(place, "w1", { size: 1 })));
      const lines = api().watch(
        `${place.widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=20`,
        (all) => all.length >= 4,
      );
      await expectCode(200, api().merge(at("w1"), { spec: { size: 2 } }));
      await expectCode(200, api().merge(at("w1"), { spec: { size: 2 } }));
      await expectCode(200, api().merge(`${at("w1")}/status`, { status: { phase: "x" } }));
      await expectCode(200, api().delete(at("w1")));
      const all = await lines;
      assert.deepEqual(told(all), ["ADDED w1", "MODIFIED w1", "MODIFIED w1", "DELETED w1"]);
      const versions = all.map((line) => Number(line.object.metadata.resourceVersion));
      assert.ok(versions.every((one, index) => index === 0 || one > (versions[index - 1] ?? 0)));
    });
    test("leaving a selector is a delete, entering an addition", async () => {
      const from = await version();
      const lines = api().watch(
        `${place.widgets}?watch=1&resourceVersion=${from}&labelSelector=in&timeoutSeconds=20`,
        (all) => all.length >= 4,
      );
      await expectCode(201, api().post(place.widgets, widget(place, "s1", { size: 1 })));
      const label = (value: string | null) =>
        expectCode(200, api().merge(at("s1"), { metadata: { labels: { in: value } } }));
      await label("");
      await label("x");
      const left = await label(null);
      await label("y");
      const all = await lines;
      assert.deepEqual(told(all), ["ADDED s1", "MODIFIED s1", "DELETED s1", "ADDED s1"]);
      assert.deepEqual(all[2]?.object.metadata.labels, { in: "x" });
      assert.equal(all[2]?.object.metadata.resourceVersion, left.metadata.resourceVersion);
      await expectCode(200, api().delete(at("s1")));
    });
    test("a field selector, and metadata only", async () => {
      const from = await version();
      const lines = api().watch(
        `${place.widgets}?watch=1&resourceVersion=${from}&fieldSelector=spec.color%3Dgreen&timeoutSeconds=20`,
        (all) => all.length >= 2,
        metadataOf,
      );
      await expectCode(201, api().post(place.widgets, widget(place, "g1", { size: 1, color: "green" })));
      await expectCode(200, api().merge(at("g1"), { spec: { color: "red" } }));
      const all = await lines;
      assert.deepEqual(told(all), ["ADDED g1", "DELETED g1"]);
      assert.equal(all[0]?.object.kind, "PartialObjectMetadata");
      await expectCode(200, api().delete(at("g1")));
    });
    test("the state first, its end marked", async () => {
      const path = `${place.widgets}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=20`;
      const lines = await api().watch(
        `${path}&allowWatchBookmarks=true`,
        (all) => all.at(-1)?.type === "BOOKMARK",
      );
      assert.deepEqual(told(lines), ["ADDED a", "ADDED b", "ADDED c", "BOOKMARK"]);
      assert.equal(lines.at(-1)?.object.metadata.annotations?.["k8s.io/initial-events-end"], "true");
      const one = await api().watch(
        `${path}&allowWatchBookmarks=true&fieldSelector=metadata.name%3Db`,
        (all) => all.at(-1)?.type === "BOOKMARK",
      );
      assert.deepEqual(told(one), ["ADDED b", "BOOKMARK"]);
    });
    test("watches that are refused or end at once", async () => {
      assert.equal((await api().get(`${place.widgets}?watch=1&sendInitialEvents=true`)).code, 422);
      assert.equal((await api().get(`${place.widgets}?watch=1&resourceVersionMatch=NotOlderThan`)).code, 422);
      assert.equal((await api().get(`${place.widgets}?watch=1&resourceVersion=abc`)).code, 500);
      const lines = await api().watch(`${place.widgets}?watch=1&resourceVersion=1&timeoutSeconds=5`);
      assert.deepEqual(
        [lines.length, lines[0]?.type, lines[0]?.object.code, lines[0]?.object.reason],
        [1, "ERROR", 410, "Expired"],
      );
      assert.deepEqual(
        await api().watch(`${place.widgets}?watch=1&resourceVersion=99999999999&timeoutSeconds=1`),
        [],
      );
      const from = await version();
      assert.deepEqual(
        await api().watch(
          `${place.widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=1&allowWatchBookmarks=true`,
        ),
        [],
      );
    });
    test("the last finalizer makes one DELETED and no MODIFIED", async () => {
      await expectCode(
        201,
        api().post(place.widgets, widget(place, "f1", { size: 1 }, { finalizers: ["conformance.dev/a"] })),
      );
      await expectCode(200, api().delete(at("f1")));
      const from = await version();
      const lines = api().watch(
        `${place.widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=20`,
        (all) => all.length >= 1,
      );
      await expectCode(200, api().merge(at("f1"), { metadata: { finalizers: null } }));
      const [line] = await lines;
      assert.deepEqual([line?.type, line?.object.metadata.finalizers], ["DELETED", ["conformance.dev/a"]]);
    });
    test("a changed CRD ends the watches of its kind", async () => {
      const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${place.group}`;
      const from = await version();
      let open = true;
      const watching = api()
        .watch(`${place.widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=60`)
        .then(() => {
          open = false;
        });
      await expectCode(
        200,
        api().jsonPatch(crd, [
          {
            op: "add",
            path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/added",
            value: { type: "string" },
          },
        ]),
      );
      await until(async () => !open);
      await watching;
      await until(
        async () =>
          (
            await api().post(
              `${place.widgets}?fieldValidation=Strict&dryRun=All`,
              widget(place, "z", { size: 1, added: "x" }),
            )
          ).code === 201,
      );
    });
    test("a default that is declared later shows in older objects", async () => {
      const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${place.group}`;
      await until(async () => (await api().get(at("a"))).code === 200);
      const before = await expectCode(200, api().get(at("a")));
      const value = { type: "string", default: "new" };
      const path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/fresh";
      await expectCode(200, api().jsonPatch(crd, [{ op: "add", path, value }]));
      await until(async () => (await api().get(at("a"))).body.spec?.fresh === "new");
      const { body } = await api().get(at("a"));
      assert.equal(body.metadata.resourceVersion, before.metadata.resourceVersion);
    });
    test("a CRD that is going waits for its objects' finalizers, and takes nothing new", async () => {
      const other = placeOf("going-kind");
      const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${other.group}`;
      await prepare(api(), other);
      const kept = widget(other, "kept", { size: 1 }, { finalizers: ["conformance.dev/a"] });
      await expectCode(201, api().post(other.widgets, kept));
      await expectCode(200, api().delete(crd));
      await until(
        async () => (await api().post(other.widgets, widget(other, "late", { size: 1 }))).code === 403,
      );
      await until(
        async () => (await api().get(`${other.widgets}/kept`)).body.metadata.deletionTimestamp !== undefined,
      );
      assert.equal((await api().get(crd)).code, 200);
      await expectCode(200, api().merge(`${other.widgets}/kept`, { metadata: { finalizers: null } }));
      await until(async () => (await api().get(crd)).code === 404);
    });
    test("a deleted CRD takes its objects along", async () => {
      const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${place.group}`;
      await until(async () => (await api().get(place.widgets)).code === 200);
      const lines = api().watch(
        `${place.widgets}?watch=1&resourceVersion=${await version()}&timeoutSeconds=60`,
      );
      await expectCode(200, api().delete(crd));
      await until(async () => (await api().get(crd)).code === 404);
      assert.deepEqual(told(await lines).sort(), ["DELETED a", "DELETED b", "DELETED c"]);
      await until(async () => (await api().get(place.widgets)).text.trim() === "404 page not found");
    });
  });
}
