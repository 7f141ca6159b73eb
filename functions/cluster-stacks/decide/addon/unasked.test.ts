import assert from "node:assert/strict";
import { it } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Cluster, ClusterStackRelease } from "../../kinds/index.ts";
import { wantedClass } from "./target.ts";
import { unaskedText } from "./unasked.ts";

const TAG = "s-mesa-1-31-v2";
const AT = { name: TAG, namespace: "team" };
const clusterAt = (version?: string) => ({
  apiVersion: "cluster.x-k8s.io/v1beta1",
  kind: "Cluster",
  metadata: { name: "demo", namespace: "team", labels: {}, annotations: {} },
  spec: { topology: { class: TAG, ...(version !== undefined && { version }) } },
});
const releaseWith = (status: object | undefined) =>
  parseObject(ClusterStackRelease, {
    apiVersion: "clusterstack.x-k8s.io/v1alpha1",
    kind: ClusterStackRelease.kind,
    metadata: AT,
    ...(status && { status }),
  });
const time = { lastTransitionTime: "2026-01-01T10:00:00Z" };
const NOT_READY = { type: "Ready", status: "False", ...time };

for (const [title, release, version, expected] of [
  [
    "a release that is not there",
    undefined,
    "v1.31.1",
    /^ClusterStackRelease team\/s-mesa-1-31-v2 is not there, .* in spec.versions of its ClusterStack$/,
  ],
  ["a release that nobody has looked at", releaseWith(undefined), "v1.31.1", /v2 is not ready$/],
  [
    "a release that says why it is not ready",
    releaseWith({ ready: false, conditions: [{ ...NOT_READY, reason: "R", message: "no image" }] }),
    "v1.31.1",
    /v2 is not ready: no image$/,
  ],
  [
    "a release that has but a reason",
    releaseWith({ ready: false, conditions: [{ ...NOT_READY, reason: "ProcessOngoing" }] }),
    "v1.31.1",
    /v2 is not ready: ProcessOngoing$/,
  ],
  [
    "a Cluster that keeps its version",
    releaseWith({ ready: true }),
    "v1.30.1",
    /^set the Cluster's spec.topology.version to v1.31.1, it is v1.30.1$/,
  ],
  ["a Cluster without a version", releaseWith({ ready: true }), undefined, /it is empty$/],
  ["nothing but the question", releaseWith({ ready: true }), "v1.31.1", /RuntimeSDK/],
] as const)
  it(`an upgrade that nobody asks about waits for ${title}`, () => {
    const cluster = parseObject(Cluster, clusterAt(version));
    const wanted = wantedClass(cluster);
    assert.ok(wanted !== undefined);
    const plan = { waits: "not asked", kubernetesVersion: "v1.31.1" };
    assert.match(unaskedText({ cluster, release, plan, wanted }), expected);
  });
