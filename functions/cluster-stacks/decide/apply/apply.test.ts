import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { identityOfObject } from "../../../../shared/manifests/inventory.ts";
import { namespaceOf, objectsOf } from "../../../../shared/manifests/objects.ts";
import { inApplyOrder, isOf, marked, refusalOf, releaseMark } from "./index.ts";
import { asksForRecreation } from "./recreate.ts";

const object = (apiVersion: string, kind: string, more: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: kind.toLowerCase() },
  ...more,
});
const mark = (name: string) => releaseMark({ metadata: { namespace: "n", name } });
const LABEL = { "clusterstack.x-k8s.io/instance": "owned" };

describe("rendered documents", () => {
  test("are objects, those of lists too", () =>
    assert.deepEqual(
      objectsOf([
        object("v1", "Service"),
        {
          apiVersion: "v1",
          kind: "List",
          items: [object("v1", "Secret"), { kind: "PodList", items: [object("v1", "Pod")] }],
        },
      ]).map((one) => (typeof one === "object" ? one.kind : one)),
      ["Service", "Secret", "Pod"],
    ));
  test("that are none are told in words", () =>
    assert.deepEqual(objectsOf(["x", { kind: "A" }]), [
      "it is no object",
      "it has no apiVersion, no metadata.name",
    ]));
});

test("namespaces and definitions come first, custom resources late, ClusterClasses last, all as they were rendered", () => {
  const rendered = [
    object("cluster.x-k8s.io/v1beta1", "ClusterClass"),
    object("x.io/v1", "B"),
    object("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    object("x.io/v1", "A"),
    object("apps/v1", "Deployment"),
    object("snapshot.storage.k8s.io/v1", "VolumeSnapshotClass"),
    object("rbac.authorization.k8s.io/v1", "Role"),
    object("v1", "Namespace"),
    object("other.io/v1", "ClusterClass"),
  ].map(identityOfObject);
  assert.deepEqual(
    inApplyOrder(rendered).map((wave) => wave.map(({ group, kind }) => `${kind}.${group}`)),
    [
      ["Namespace."],
      ["CustomResourceDefinition.apiextensions.k8s.io"],
      ["Deployment.apps", "Role.rbac.authorization.k8s.io"],
      ["B.x.io", "A.x.io", "VolumeSnapshotClass.snapshot.storage.k8s.io", "ClusterClass.other.io"],
      ["ClusterClass.cluster.x-k8s.io"],
    ],
  );
});

describe("an object", () => {
  test("goes where it says, else to the default namespace; none where its kind has none", () => {
    const own = { ...object("v1", "Secret"), metadata: { name: "a", namespace: "own" } };
    assert.equal(namespaceOf(own, "Namespaced", "team"), "own");
    assert.equal(namespaceOf(object("v1", "Secret"), "Namespaced", "team"), "team");
    assert.equal(namespaceOf(own, "Cluster", "team"), undefined);
    assert.equal(namespaceOf(object("x.io/v1", "Late"), undefined, "team"), "team");
  });
  test("bears our marks beside its own, and no status", () => {
    const written = {
      ...object("x.io/v1", "A", { spec: {}, status: { a: 1 } }),
      metadata: { name: "a", labels: { b: "c" } },
    };
    const made = marked(written, "team", mark("v1"));
    assert.deepEqual(made, {
      apiVersion: "x.io/v1",
      kind: "A",
      metadata: {
        name: "a",
        namespace: "team",
        labels: { b: "c", ...LABEL },
        annotations: { "reveille.dev/cluster-stack-release": "n/v1" },
      },
      spec: {},
    });
  });
  test("keeps the finalizers that its chart gives it", () => {
    const written = { ...object("x.io/v1", "A"), metadata: { name: "a", finalizers: ["x.io/held"] } };
    assert.deepEqual(marked(written, "team", mark("v1")).metadata.finalizers, ["x.io/held"]);
  });
  test("is made anew where it says so, and where helm would", () => {
    for (const [annotations, expected] of [
      [{}, false],
      [{ "reveille.dev/recreate": "true" }, true],
      [{ "helm.sh/hook": "post-install,post-upgrade" }, true],
      [{ "helm.sh/hook": "post-install", "reveille.dev/recreate": "false" }, false],
    ] as const)
      assert.equal(asksForRecreation({ metadata: { annotations } }), expected);
  });
  for (const [kind, apiVersion, isLabelled] of [
    ["Deployment", "apps/v1", true],
    ["Job", "batch/v1", true],
    ["CronJob", "batch/v1", false],
    ["Deployment", "other.io/v1", false],
  ] as const)
    test(`${kind} of ${apiVersion} ${isLabelled ? "has" : "has no"} label on its pods`, () => {
      const { spec } = marked(
        object(apiVersion, kind, { spec: { template: { spec: {} } } }),
        "team",
        mark("r"),
      );
      const labels = isLabelled ? { metadata: { labels: LABEL } } : {};
      assert.deepEqual(spec, { template: { spec: {}, ...labels } });
    });
  test("is of the release that its marks name, and of any where upstream made it", () => {
    const made = (labels: object, annotations: object) => ({
      ...object("v1", "Secret"),
      metadata: {
        ...{
          name: "a",
          uid: "u",
          resourceVersion: "1",
          generation: 1,
          creationTimestamp: "",
          finalizers: [],
          ownerReferences: [],
        },
        labels: { ...labels },
        annotations: { ...annotations },
      },
    });
    const of = (release: string) => ({ "reveille.dev/cluster-stack-release": release });
    for (const [labels, annotations, expected] of [
      [LABEL, of("n/a"), true],
      [LABEL, {}, true],
      [LABEL, of("n/b"), false],
      [{}, of("n/a"), false],
    ] as const)
      assert.equal(isOf(made(labels, annotations), mark("a")), expected);
  });
});

describe("a refusal", () => {
  const refused = (code: string, retryable: boolean) => refusalOf({ code, message: "No.", retryable });
  test("for want of a right says what to do", () =>
    assert.match(refused("KUBE_FORBIDDEN", false).error, /Grant that right/));
  test("for want of a right in a workload cluster says who grants it there", () => {
    const error = { code: "KUBE_FORBIDDEN", message: "No.", retryable: false };
    assert.match(refusalOf(error, "workload").error, /the account of its kubeconfig/);
  });
  test("of a change that is none is for good", () => {
    const { error, mayPass } = refused("KUBE_INVALID", false);
    assert.match(error, /not tried again by itself/);
    assert.equal(mayPass, false);
  });
  test("of a field that never changes is told from others", () => {
    const isFixed = (message: string, code = "KUBE_INVALID") =>
      refusalOf({ code, message, retryable: false }).isFixed;
    for (const message of [
      "spec.selector: Invalid value: {}: field is immutable",
      "parameters: Forbidden: updates to parameters are forbidden.",
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
      'roleRef: Invalid value: "x": cannot change roleRef',
      "spec.clusterIPs[0]: Invalid value: []: may not change once set",
      "DockerMachineTemplate spec.template.spec field is immutable. Please create a new resource instead.",
    ])
      assert.equal(isFixed(message), true, message);
    assert.equal(isFixed("spec.replicas: Invalid value: -1: must not be negative"), false);
    assert.equal(isFixed("it is immutable", "KUBE_FORBIDDEN"), false);
  });
  test("of a kind that is not there waits for it", () => {
    for (const code of ["KUBE_MISSING", "KUBE_TERMINATING"]) assert.equal(refused(code, false).mayPass, true);
    const { mayPass, kindMissing } = refused("KUBE_KIND_MISSING", true);
    assert.deepEqual([mayPass, kindMissing], [false, true]);
  });
  test("that may pass is tried again", () =>
    assert.deepEqual(refused("KUBE_UNAVAILABLE", true).mayPass, true));
});
