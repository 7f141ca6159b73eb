import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { ANNOTATIONS, Manifest, RuntimeObject, type SyncedObject } from "../../kinds/index.ts";
import { withFirstMarks } from "./first-marks.ts";
import { bringerOf, marked } from "./marks.ts";

const NAME = "rt-1-alpha-1";
const OTHER = "rt-1-beta-1";
const manifest = (name: string, synced: readonly SyncedObject[], deletionTimestamp?: string) =>
  parseObject(Manifest, {
    apiVersion: apiVersionOf(Manifest),
    kind: "Manifest",
    metadata: {
      ...{ name, namespace: "kcp-system", uid: name, resourceVersion: "1" },
      ...(deletionTimestamp !== undefined && { deletionTimestamp, finalizers: ["a.test/b"] }),
    },
    spec: { remote: true, install: { name: "raw-manifest", source: {} } },
    status: { state: "Ready", synced },
  });
const RECORD = { group: "", version: "v1", kind: "Namespace", name: "shared", namespace: "" };
const self = manifest(NAME, [RECORD]);
const object = (kind: string, labels = {}) => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "shared", labels: { "acme.test/own": "yes", ...labels } },
});
/** The object as this Manifest brings it, or as another has brought it. */
const bring = (kind: string, by = self) => marked(object(kind), "Cluster", by);

interface Case {
  readonly kind?: string;
  /** The Manifest whose marks the object bears; absent: the object is not there. */
  readonly bears?: string;
  readonly other?: ReturnType<typeof manifest>;
}
async function applied({ kind = "Namespace", bears, other }: Case) {
  const [first] = await withFirstMarks(self, [bring(kind)], {
    object: async () => {
      if (bears === undefined) return undefined;
      const { apiVersion, metadata } = bring(kind, manifest(bears, []));
      const { name, labels, annotations } = metadata;
      const read = { name, labels, annotations, uid: "u", resourceVersion: "1" };
      return parseObject(RuntimeObject, { apiVersion, kind, metadata: read }, "rt-1");
    },
    sibling: async (name) => (name === other?.metadata.name ? other : undefined),
  });
  assert.ok(first !== undefined);
  return first;
}

describe("a namespace that a module brings", () => {
  const has = manifest(OTHER, [RECORD]);
  test.each<[string, Case, string]>([
    ["that is not there bears its marks", {}, NAME],
    ["that bears its marks keeps them", { bears: NAME }, NAME],
    ["keeps the marks of another that has it", { bears: OTHER, other: has }, OTHER],
    ["of another that is gone bears its marks", { bears: OTHER }, NAME],
    ["of another that has it no more bears its marks", { bears: OTHER, other: manifest(OTHER, []) }, NAME],
    [
      "of another that is going bears its marks",
      { bears: OTHER, other: manifest(OTHER, [RECORD], "2026-02-03T10:00:00Z") },
      NAME,
    ],
    ["and nothing else", { kind: "Thing", bears: OTHER, other: has }, NAME],
  ])("%s", async (_, world, by) => {
    const { metadata } = await applied(world);
    assert.equal(bringerOf({ metadata: { labels: metadata.labels ?? {} } }), by);
    assert.equal(metadata.annotations?.[ANNOTATIONS.ownedBy], `kcp-system/${by}`);
    assert.equal(metadata.labels?.["acme.test/own"], "yes");
  });
});
