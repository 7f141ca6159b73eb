import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Conformance, JudgedObject } from "../../../infra/testing/system/index.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ClusterAddon, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";

/** A folder with upstream's CRDs and releases; undefined: the tests are skipped. */
export const folder =
  process.env.CONFORMANCE_DATA === undefined
    ? undefined
    : join(process.env.CONFORMANCE_DATA, "cluster-stack");

/** Upstream's CRD of a kind. */
export const theirCrd = <Crd = KubeObject>(kind: Kind): Crd =>
  parse(readFileSync(join(folder ?? "", "crds", `clusterstack.x-k8s.io_${kind.plural}.yaml`), "utf8"));

type Tree = Readonly<Record<string, unknown>>;
const SPEC = { provider: "openstack", name: "scs", kubernetesVersion: "1.30" };
const spec = (more: Tree): Tree => ({ spec: { ...SPEC, ...more } });
const infrastructure = (kind: string, name: string): Tree => ({
  apiVersion: "infrastructure.clusterstack.x-k8s.io/v1alpha1",
  kind,
  name,
});
const NOW = "2024-05-05T10:00:00Z";
const addon = (more: Tree = {}): Tree => ({
  spec: {
    clusterRef: {
      apiVersion: "cluster.x-k8s.io/v1beta1",
      kind: "Cluster",
      name: "demo",
      namespace: "team-a",
    },
    ...more,
  },
});

/** Objects as users and upstream's operator write them, and at the edge of what the schemas allow. */
const OBJECTS: readonly JudgedObject[] = [
  {
    title: "a stack with a provider",
    kind: ClusterStack,
    object: spec({
      channel: "stable",
      autoSubscribe: true,
      versions: ["v1"],
      providerRef: infrastructure("OpenStackClusterStackReleaseTemplate", "images"),
    }),
    status: {
      latestRelease: "openstack-scs-1-30-v1 | v1.30.2",
      usableVersions: "v1, v2-beta.3",
      summary: [
        { name: "v1", ready: true, phase: "done" },
        { name: "v3", ready: false, phase: "", message: "m" },
      ],
      conditions: [
        {
          type: "Ready",
          status: "False",
          severity: "Warning",
          reason: "R",
          message: "m",
          lastTransitionTime: NOW,
        },
        { type: "ReleasesSynced", status: "True", lastTransitionTime: NOW },
      ],
    },
    valid: true,
  },
  {
    title: "a stack without a provider",
    kind: ClusterStack,
    object: spec({ noProvider: true }),
    valid: true,
  },
  {
    title: "a stack of the custom channel",
    kind: ClusterStack,
    object: spec({ channel: "custom" }),
    valid: true,
  },
  { title: "a stack without versions", kind: ClusterStack, object: spec({ versions: [] }), valid: true },
  { title: "a stack without a spec", kind: ClusterStack, object: {} },
  { title: "a stack of another channel", kind: ClusterStack, object: spec({ channel: "beta" }) },
  { title: "a stack without a name", kind: ClusterStack, object: spec({ name: "" }) },
  { title: "a stack for a patch version", kind: ClusterStack, object: spec({ kubernetesVersion: "1.30.2" }) },
  { title: "a stack for no version", kind: ClusterStack, object: spec({ kubernetesVersion: undefined }) },
  {
    title: "a summary without a phase",
    kind: ClusterStack,
    object: SPEC,
    status: { summary: [{ name: "v1", ready: true }] },
  },
  {
    title: "a stack whose versions change",
    kind: ClusterStack,
    object: spec({ versions: ["v1"] }),
    afterwards: spec({ versions: ["v2"], autoSubscribe: false, channel: "stable" }),
    valid: true,
  },
  {
    title: "a release",
    kind: ClusterStackRelease,
    object: {
      metadata: { finalizers: ["clusterstackrelease.clusterstack.x-k8s.io"] },
      spec: { providerRef: infrastructure("OpenStackClusterStackRelease", "openstack-scs-1-30-v1") },
    },
    status: {
      ready: true,
      kubernetesVersion: "v1.30.2",
      resources: [
        {
          group: "cluster.x-k8s.io",
          version: "v1beta1",
          kind: "ClusterClass",
          namespace: "team-a",
          name: "openstack-scs-1-30-v1",
          status: "synced",
        },
        { name: "x", status: "not-synced", error: "refused" },
      ],
      conditions: [{ type: "HelmChartApplied", status: "True", lastTransitionTime: NOW }],
    },
    valid: true,
  },
  { title: "a release without a spec", kind: ClusterStackRelease, object: {}, status: {}, valid: true },
  {
    title: "a condition without a time",
    kind: ClusterStackRelease,
    object: {},
    status: { conditions: [{ type: "Ready", status: "True" }] },
  },
  {
    title: "addons of a Cluster",
    kind: ClusterAddon,
    object: addon({ clusterStack: "openstack-scs-1-30-v1", version: "v1", hook: "BeforeClusterUpgrade" }),
    status: {
      ready: false,
      stages: [
        { name: "cni", action: "apply", phase: "waitingForPostCondition" },
        { name: "csi", action: "apply", phase: "Pending" },
      ],
      conditions: [],
    },
    valid: true,
  },
  { title: "addons without a hook", kind: ClusterAddon, object: addon(), status: {}, valid: true },
  { title: "addons of no Cluster", kind: ClusterAddon, object: { spec: { version: "v1" } } },
  { title: "addons without a spec", kind: ClusterAddon, object: {} },
];

/** Our CRDs beside upstream's. What is kept may differ by the source that ours defaults to: the schema test names it. */
export const objectsOfUpstream: Conformance = {
  name: "the cluster-stack-operator's objects",
  theirs:
    folder === undefined
      ? undefined
      : new Map(
          [ClusterStack, ClusterStackRelease, ClusterAddon].map((kind: Kind) => [kind, () => theirCrd(kind)]),
        ),
  keepsTheSame: false,
  objects: OBJECTS,
};
