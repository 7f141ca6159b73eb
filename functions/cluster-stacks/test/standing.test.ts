import assert from "node:assert/strict";
import { test } from "vitest";
import { type Standing, standingOf } from "../decide/addon/standing.ts";
import { namespacedReleases } from "../decide/source/index.ts";
import { builtInCharts } from "../ports/charts/adapters/built-in/index.ts";
import { memoryReleases } from "../ports/releases/adapters/index.ts";
import { tag } from "./stage.ts";
import { stagedFiles } from "./staged.ts";

const TEAM = "team";
const V1 = tag("v1");
const stage = (name: string, action = "apply"): string => `    - {name: ${name}, action: ${action}}\n`;

/** The objects that upstream left of v1, whose values are made of a Cluster that is there, or not. */
function standing(source: ReturnType<typeof memoryReleases>, isThere = true): Promise<Standing> {
  return standingOf(
    { metadata: { name: "cluster-addon-demo", namespace: TEAM } },
    V1,
    {
      home: { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", name: "demo", namespace: TEAM },
      namespace: TEAM,
    },
    {
      releases: namespacedReleases(source, { default: { folder: "releases" } }, async () => undefined),
      charts: builtInCharts(),
      release: async () => undefined,
      object: async () => (isThere ? { kind: "Cluster", spec: {} } : undefined),
      knows: async () => true,
      workloadKnows: async () => ({ scope: "Namespaced" }),
    },
  );
}
const names = (found: Standing): unknown =>
  found.state === "known" ? found.resources.map(({ name }) => name) : found;

test("what upstream installed in stages is what those of both moments bring, each once", async () => {
  const source = memoryReleases();
  source.put(
    V1,
    await stagedFiles(V1, {
      stages: {
        AfterControlPlaneInitialized: stage("a") + stage("b"),
        BeforeClusterUpgrade: stage("a") + stage("c") + stage("b", "delete"),
        AfterClusterUpgrade: stage("d"),
      },
      charts: { a: { one: "1" }, b: { two: "1" }, c: { three: "1" }, d: { four: "1" } },
    }),
  );
  assert.deepEqual(names(await standing(source)), ["one", "two", "three"]);
});

test("what cannot be had yet is waited for, and what never can is told", async () => {
  const source = memoryReleases();
  const absent = await standing(source);
  assert.equal(absent.state, "unknown");
  source.fails({ reason: "unavailable", message: "it is away" });
  const failed = await standing(source);
  assert.deepEqual([failed.state, "why" in failed && failed.why], ["later", "it is away"]);
  source.fails();
  const staged = { stages: { AfterControlPlaneInitialized: stage("a") }, charts: { a: { one: "1" } } };
  source.put(V1, await stagedFiles(V1, { ...staged, values: { a: "x: {{ .Cluster.kind }}\n" } }));
  assert.deepEqual(names(await standing(source)), ["one"]);
  const away = await standing(source, false);
  assert.ok(away.state === "later");
  assert.deepEqual(
    away.valuesOf.map(({ kind, name }) => `${kind} ${name}`),
    ["Cluster demo"],
  );
});
