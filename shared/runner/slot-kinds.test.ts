import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { defineClusters, defineDynamic, defineKind, each, unwatched } from "../function/index.ts";
import type { KubeClient, Resource } from "../kube/client.ts";
import { SlotKinds } from "./slot-kinds.ts";

const runtimes = defineClusters("runtime", {
  secret: { namespace: "kubeconfigs", label: "slots.example.org/runtime", key: "config" },
});
class Part extends defineDynamic("part") {}
class RuntimePart extends runtimes.kind(Part) {}
class Box extends defineKind({
  group: "slots.example.org",
  version: "v1",
  kind: "Box",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
}) {}
const box = each(Box).function({
  name: "box",
  reads: [unwatched(RuntimePart, "a test")],
  reconcile: () => ({}),
});
const MAP: Resource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
};
const CLUSTERS = Array.from({ length: 5_000 }, (_, index) => `rt-${index}`);

it("asks each of thousands of clusters once what it serves, and keeps an answer that all give once", async () => {
  let asked = 0;
  const client: Partial<KubeClient> = {
    discover: async () => {
      asked += 1;
      return [{ ...MAP }];
    },
  };
  const others = { at: () => ({ client: client as KubeClient }), heard: () => undefined } as never;
  const slots = new SlotKinds(
    { client: client as KubeClient, others },
    () => new Map([[RuntimePart.id, ["*"]]]),
  );
  const look = (cluster: string) =>
    slots.lookUp(RuntimePart, { apiVersion: "v1", kind: "ConfigMap" }, box, cluster);
  for (const cluster of CLUSTERS) assert.equal((await look(cluster))?.kind, "ConfigMap");
  for (const cluster of CLUSTERS) await look(cluster);
  assert.equal(asked, CLUSTERS.length);
  const known = CLUSTERS.map((cluster) =>
    slots.knownTo([RuntimePart.id], { apiVersion: "v1", kind: "ConfigMap" }, box, {
      slot: RuntimePart,
      cluster,
    }),
  );
  assert.equal(new Set(known.map((one) => one?.resource)).size, 1);
});
