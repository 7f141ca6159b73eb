import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { JAR, Jar } from "../../infra/testing/jar.ts";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { apply, each, unwatched, type Verb } from "../function/index.ts";
import type { KubeClient, ListPage } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { ConfigMap } from "../kube/kinds/config-map.ts";
import type { KubeObject } from "../kube/object.ts";

const LABELS = { of: "jars" };
const FIELDS = { "f:metadata": { "f:labels": { "f:of": {} } }, "f:data": { "f:text": {} } };

/** A ConfigMap that the function has applied before. */
const there = (
  name: string,
  text: string,
  labels: Readonly<Record<string, string>> = LABELS,
): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    ...{ name, namespace: "a", uid: `uid-${name}`, resourceVersion: `1${name}`, labels },
    managedFields: [
      {
        ...{ manager: "reveille-keeper", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1" },
        fieldsV1: FIELDS,
      },
    ],
  },
  data: { text },
});

interface Told {
  /** The objects on the server, by name. */
  readonly world: ReadonlyMap<string, KubeObject>;
  /** The objects of a page of a list. */
  readonly page?: number;
  /** Refuses lists so. */
  readonly refused?: KubeError;
  readonly verbs?: readonly Verb[];
}

/** Has so many ConfigMaps applied with `new`; what it took, and what stood there afterwards. */
async function applied(count: number, { world, page = 500, refused, verbs }: Told) {
  const server = new Map(world);
  const took: string[] = [];
  const lists: unknown[] = [];
  const pages: KubeClient["pages"] = async function* (_, options = {}) {
    lists.push([options.namespace, options.labelSelector]);
    if (refused !== undefined) throw refused;
    const items = [...server.values()].filter(({ metadata }) => metadata.labels?.of === "jars");
    for (let at = 0; at < Math.max(1, items.length); at += page)
      yield {
        items: items.slice(at, at + page),
        metadata: { resourceVersion: "9", ...(at + page < items.length && { continue: String(at) }) },
      } satisfies ListPage;
  };
  const client: Partial<KubeClient> = {
    pages,
    get: async (_, { name }) => {
      if (name === "j") return JAR;
      took.push(`get ${name}`);
      return server.get(name);
    },
    apply: async (_, { name }, body) => {
      took.push(`apply ${name}`);
      const { resourceVersion } = body.metadata;
      const live = server.get(name);
      if (live !== undefined && live.metadata.resourceVersion !== resourceVersion)
        throw new KubeError("stale", `${name} moved on`, { request: "apply" });
      const object = { ...body, metadata: { ...body.metadata, uid: name, resourceVersion: `2${name}` } };
      server.set(name, object);
      return object;
    },
    create: async () => JAR,
  };
  const keeper = each(Jar).function({
    name: "keeper",
    writes: [unwatched(ConfigMap, "nobody else writes it")],
    ...(verbs !== undefined && { verbs: { ConfigMap: verbs } }),
    reconcile: () => ({
      effects: Array.from({ length: count }, (_, at) =>
        apply(
          ConfigMap,
          { metadata: { name: `m${at}`, namespace: "a", labels: LABELS }, data: { text: "new" } },
          { labelled: LABELS },
        ),
      ),
    }),
  });
  const end = await runnerOf(keeper, client)(leaseOf(itemOf("keeper", "c/unit.example.org/Jar/a/j")));
  const texts = [...server.values()].map(({ data }) => (data as { readonly text: string }).text);
  return { end, lists, took: took.sort(), texts: new Set(texts) };
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `m${at}`);
const worldOf = (...objects: readonly KubeObject[]): Told["world"] =>
  new Map(objects.map((object) => [object.metadata.name, object]));

describe("the objects of many applies", () => {
  it("are looked at by one list: what is so already is not sent, what is absent is made without a read", async () => {
    const [same, old, ...absent] = names(9);
    const world = worldOf(there(same ?? "", "new"), there(old ?? "", "old"));
    const { end, lists, took, texts } = await applied(9, { world });
    assert.equal(end.state, "finished");
    assert.deepEqual(lists, [["a", "of=jars"]]);
    assert.deepEqual(took, [old, ...absent].map((name) => `apply ${name}`).sort());
    assert.deepEqual([...texts], ["new"]);
  });

  it("are read one by one where they are few", async () => {
    const { lists, took } = await applied(7, { world: worldOf() });
    assert.deepEqual(lists, []);
    assert.equal(took.filter((one) => one.startsWith("get")).length, 7);
  });

  it("are read after all where they lost their labels: none is made over what stands there", async () => {
    const { took, texts } = await applied(8, { world: worldOf(there("m3", "old", {})) });
    assert.deepEqual(
      took.filter((one) => one.endsWith("m3")),
      ["apply m3", "apply m3", "get m3"],
    );
    assert.deepEqual([...texts], ["new"]);
  });

  it("are read one by one where the list is refused", async () => {
    const refused = new KubeError("forbidden", "You may not list.", { request: "list" });
    const { end, took, texts } = await applied(8, { world: worldOf(), refused });
    assert.equal(end.state, "finished");
    assert.equal(took.filter((one) => one.startsWith("get")).length, 8);
    assert.deepEqual([...texts], ["new"]);
  });

  it("are looked for no further than that is worth: of what was not seen each is read", async () => {
    const others = Array.from({ length: 60 }, (_, at) => there(`other${at}`, "new"));
    const world = worldOf(there("m0", "new"), ...others, there("m1", "old"));
    const { took, texts } = await applied(8, { world, page: 10 });
    assert.ok(took.includes("get m1") && !took.includes("get m0"), took.join(", "));
    assert.deepEqual([...texts], ["new"]);
  });

  it("are not listed by a function that does not say that it lists", async () => {
    const { end, lists } = await applied(8, { world: worldOf(), verbs: ["get", "create", "patch"] });
    assert.ok(end.state === "failed", end.state);
    assert.match(end.error.message, /verbs: \{ ConfigMap: \["list"\] \}/);
    assert.deepEqual(lists, []);
  });
});
