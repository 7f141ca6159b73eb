import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace } from "../../../shared/kube/kinds/index.ts";
import { addonsOf, cluster, condition, map, names, offer, ready } from "./addons.ts";
import { type Stage, tag } from "./stage.ts";
import { stagedFiles } from "./staged.ts";

const BY = { fieldManager: "somebody" } as const;
const CRDS: Resource = {
  ...{ group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions" },
  ...{ kind: "CustomResourceDefinition", scope: "Cluster" },
};
const RINGS: Resource = {
  ...{ group: "ring.example.org", version: "v1", plural: "rings", kind: "Ring", scope: "Cluster" },
};
/** The definition of a kind in two versions, the older of which may be served no more. */
const ringDefinition = (isOldServed = true) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "rings.ring.example.org" },
  spec: {
    group: "ring.example.org",
    scope: "Cluster",
    names: { kind: "Ring", listKind: "RingList", plural: "rings", singular: "ring" },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
      {
        name: "v1beta1",
        served: isOldServed,
        storage: false,
        schema: { openAPIV3Schema: { type: "object" } },
      },
    ],
  },
});
const ring = (version: string, finalizers = ""): string =>
  `apiVersion: ring.example.org/${version}\nkind: Ring\nmetadata: {name: ring${finalizers}}\n`;
const states = async (s: Stage): Promise<readonly string[]> =>
  ((await s.addon("demo"))?.status?.resources ?? []).map(({ name, status }) => `${name} ${status}`).sort();

/** Scenarios of releases that nobody would write on purpose. */
export const hostile: readonly Scenario<Stage>[] = [
  {
    number: 35,
    name: "an object whose namespace is not there waits for it",
    async run(s) {
      await offer(s, { v1: addonsOf(map("here"), map("later\n  namespace: late")) });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      const said = await condition(s, "HelmChartApplied");
      assert.equal(said?.severity, "Info");
      assert.match(said?.message ?? "", /ConfigMap later: .*namespaces "late" not found/);
      const late = { apiVersion: "v1", kind: "Namespace", metadata: { name: "late" } };
      await there.client.apply(resourceOf(Namespace), late.metadata, late, BY);
      // It is tried again after a while.
      await s.leap(1);
      await ready(s, "v1");
    },
  },
  {
    number: 31,
    name: "a chart that its values switch off brings nothing, and hinders nobody",
    async run(s) {
      const off = `{{- if .Values.enabled }}\n${map("b")}{{- end }}\n`;
      await offer(s, { v1: addonsOf(map("a")), v2: addonsOf(off) });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.deepEqual(await names(there), []);
    },
  },
  {
    number: 24,
    name: "a stage that deletes leaves what another stage of the same class has brought",
    async run(s) {
      const stages = (list: string) => ({ AfterControlPlaneInitialized: list, BeforeClusterUpgrade: list });
      const charts = { old: { b: "1" }, new: { a: "1" } };
      const plain = { old: { shared: "1" }, new: { shared: "2" } };
      const [apply, swap] = [
        "  - {name: old, action: apply}\n",
        "  - {name: new, action: apply}\n  - {name: old, action: delete}\n",
      ];
      s.source.put(
        tag("v1"),
        await stagedFiles(tag("v1"), { stages: stages(apply), charts, plain, addon: "v1" }),
      );
      s.source.put(
        tag("v2"),
        await stagedFiles(tag("v2"), { stages: stages(swap), charts, plain, addon: "v2" }),
      );
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      assert.deepEqual(await names(there), ["b", "shared"]);
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.deepEqual(await names(there), ["a", "shared"]);
      assert.deepEqual(await states(s), ["a synced", "shared synced"]);
    },
  },
  {
    number: 25,
    name: "an object goes in whichever version its kind is served by then",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a"), ring("v1beta1")), v2: addonsOf(map("a")) });
      const there = await s.workload("demo");
      await there.client.apply(CRDS, ringDefinition().metadata, ringDefinition(), BY);
      await cluster(s, "v1");
      await ready(s, "v1");
      assert.ok(await there.client.get(RINGS, { name: "ring" }));
      await there.client.apply(CRDS, ringDefinition().metadata, ringDefinition(false), BY);
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.equal(await there.client.get(RINGS, { name: "ring" }), undefined);
    },
  },
  {
    number: 25,
    name: "what an operator looks after goes before the operator",
    async run(s) {
      const own = ring("v1", ", finalizers: [ring.example.org/operator]");
      await offer(s, { v1: addonsOf(map("operator"), own), v2: addonsOf(map("b")) });
      const there = await s.workload("demo");
      await there.client.apply(CRDS, ringDefinition().metadata, ringDefinition(), BY);
      await cluster(s, "v1");
      await ready(s, "v1");
      await cluster(s, "v2");
      const going = await there.client.get(RINGS, { name: "ring" });
      assert.ok(going?.metadata.deletionTimestamp !== undefined);
      assert.deepEqual(await names(there), ["b", "operator"]);
      await there.client.patch(RINGS, { name: "ring" }, "merge", { metadata: { finalizers: null } }, BY);
      await ready(s, "v2");
      assert.deepEqual(await names(there), ["b"]);
    },
  },
];
