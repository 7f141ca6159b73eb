import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Obj } from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import { Manifest } from "../../kinds/index.ts";
import { artifactOf, layerSource, operatorAt } from "./artifact.ts";
import { imagesByName, localized, nameAndTag } from "./images.ts";
import { entryOf, isTruncated, lacks, recordWith, recordWithout, surplus } from "./inventory.ts";
import { marked } from "./marks.ts";
import { definedScopes, layerObjects } from "./objects.ts";
import { withPullSecret } from "./pull-secret.ts";
import { goesLast, nextWave } from "./waves.ts";

const read = (yaml: string) => layerObjects(documentsOf(yaml).documents.map(({ value }) => value));
const objects = (yaml: string) => {
  const layer = read(yaml);
  return "objects" in layer ? layer.objects : assert.fail(layer.fault);
};
const MANIFEST = { metadata: { namespace: "kcp-system", name: "rt-1-alpha-1" } } as const;
const only = (yaml: string, scope: "Namespaced" | "Cluster" = "Namespaced") => {
  const [object] = objects(yaml);
  return marked(object ?? assert.fail(), scope, MANIFEST);
};

describe("the place of an artifact", () => {
  const placeOf = (source: object) =>
    layerSource({ spec: { install: { name: "raw-manifest", source } } } as Pick<
      Obj<typeof Manifest>,
      "spec"
    >);
  const source = { type: "oci-ref", repo: "r", name: "acme.com/alpha", ref: "sha256:0" };
  for (const [what, given, found] of [
    ["that of its component", source, source],
    ["another repository", { ...source, repository: "acme/x" }, { ...source, repository: "acme/x" }],
    ["that of its component, where the other is empty", { ...source, repository: "" }, source],
    ["nowhere without a digest", { ...source, ref: "" }, /it has name and ref/],
    ["nowhere for a type that is not read", { ...source, type: "helm" }, /type is "helm"/],
  ] as const)
    test(`is ${what}`, () => {
      const place = placeOf(given);
      if (found instanceof RegExp) assert.match(String(place), found);
      else assert.deepEqual(place, found);
    });
});

describe("the objects of an artifact", () => {
  test("are those of files that were put together, byte order marks and all", () => {
    const file = "\uFEFF{apiVersion: v1, kind: ConfigMap, metadata: {name: NAME}}\n";
    const found = objects([file.replace("NAME", "a"), file.replace("NAME", "b")].join("---\n"));
    assert.deepEqual(
      found.map(({ metadata }) => metadata.name),
      ["a", "b"],
    );
  });

  test("are those of lists of one kind, which may be empty", () => {
    const found = objects(
      [
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleList, items: [{metadata: {name: a}}]}",
        "{apiVersion: v1, kind: ConfigMapList, items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}]}",
        "{apiVersion: v1, kind: List, items: }",
        "{apiVersion: example.org/v1, kind: PriceList, metadata: {name: c}}",
      ].join("\n---\n"),
    );
    assert.deepEqual(
      found.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
      [
        ["rbac.authorization.k8s.io/v1", "Role", "a"],
        ["v1", "ConfigMap", "b"],
        ["example.org/v1", "PriceList", "c"],
      ],
    );
  });

  test("are all of its documents, lists taken apart, and each once", () => {
    const found = objects(
      [
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {v: first}}",
        "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret, metadata: {name: b}}]}",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {v: second}}",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: x}}",
      ].join("\n---\n"),
    );
    assert.deepEqual(
      found.map(({ kind, metadata, data }) => [kind, metadata.namespace, data]),
      [
        ["ConfigMap", undefined, { v: "first" }],
        ["Secret", undefined, undefined],
        ["ConfigMap", "x", undefined],
      ],
    );
  });

  test("are none where one document is no object", () => {
    assert.deepEqual(read("kind: One\n"), {
      fault: "its object 1 (One) is none: it has no apiVersion, no metadata.name",
    });
    for (const [metadata, why] of [
      [
        "{generateName: a-}",
        "it has no metadata.name: generateName would make one more each time, so write a name",
      ],
      ["{name: 1234}", "it has no metadata.name: write 1234 in quotes"],
      ["{name: a, labels: [b]}", "its metadata.labels is no map"],
      ["{name: a, annotations: b}", "its metadata.annotations is no map"],
      ["{name: a, labels: {b: 010}}", "its metadata.labels.b is 8: write it in quotes"],
      ["{name: a, annotations: {b: yes}}", "its metadata.annotations.b is true: write it in quotes"],
      ["{name: a, annotations: {b: {c: d}}}", "its metadata.annotations.b is no text"],
      ["{name: a, namespace: 1}", "its metadata.namespace is 1: write it in quotes"],
      ["{name: a, finalizers: b}", "its metadata.finalizers is no list"],
    ] as const)
      assert.deepEqual(read(`{apiVersion: v1, kind: ConfigMap, metadata: ${metadata}}`), {
        fault: `its object 1 (ConfigMap) is none: ${why}`,
      });
    assert.deepEqual(read("onlyHaveKey\n"), { fault: "its object 1 is none: it is no object" });
  });

  test("are one where the second one names the namespace that the first one gets anyway", () => {
    const map = (metadata: string, data: string) =>
      `{apiVersion: v1, kind: ConfigMap, metadata: ${metadata}, data: {b: ${data}}}`;
    const layer = read(
      [
        map("{name: a}", "c"),
        map("{name: a, namespace: default}", "d"),
        map("{name: a, namespace: e}", "f"),
      ].join("\n---\n"),
    );
    assert.ok("objects" in layer);
    assert.deepEqual(
      [layer.objects, layer.doubled].map((some) => some.map(({ metadata }) => metadata.namespace)),
      [[undefined, "e"], ["default"]],
    );
  });

  test("tell the scopes of the kinds that they define", () => {
    const definition = (scope: string, kind: string) =>
      `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: x}, spec: {group: a.test, scope: ${scope}, names: {kind: ${kind}}}}`;
    const scopes = definedScopes(
      objects(
        `${definition("Cluster", "One")}\n---\n${definition("Namespaced", "Two").replace("name: x", "name: z")}`,
      ),
    );
    assert.deepEqual(
      [...scopes],
      [
        ["One.a.test", "Cluster"],
        ["Two.a.test", "Namespaced"],
      ],
    );
  });
});

describe("an object as it is applied", () => {
  test("has our marks beside its own", () => {
    const { metadata } = only(
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: x, labels: {app: a}, annotations: {of: it}}}",
    );
    assert.deepEqual(metadata.labels, {
      app: "a",
      "operator.kyma-project.io/managed-by": "kyma",
      "app.kubernetes.io/component": "rt-1-alpha-1",
      "app.kubernetes.io/part-of": "Kyma",
    });
    assert.equal(metadata.annotations.of, "it");
    assert.equal(
      metadata.annotations["deprecated-operator.kyma-project.io/owned-by"],
      "kcp-system/rt-1-alpha-1",
    );
    assert.match(
      metadata.annotations["operator.kyma-project.io/managed-by-reconciler-disclaimer"] ?? "",
      /not edit/,
    );
  });

  test("lies in the default namespace where it names none, and in none where its kind has none", () => {
    const yaml = "{apiVersion: v1, kind: X, metadata: {name: a}}";
    assert.equal(only(yaml).metadata.namespace, "default");
    const inVain = "{apiVersion: v1, kind: X, metadata: {name: a, namespace: b}}";
    assert.equal("namespace" in only(inVain, "Cluster").metadata, false);
  });

  test("has no status", () => {
    assert.equal("status" in only("{apiVersion: v1, kind: X, metadata: {name: a}, status: {a: 1}}"), false);
  });
});

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: a, namespace: x}
spec:
  template:
    spec:
      initContainers: [{name: i, image: "docker.io/acme/tool:1"}]
      containers:
        - {name: c, image: "acme.test:5000/dev/alpha:1.4.2", env: [{name: PROXY, value: "dev.test/proxy:2"}, {name: WORD, value: "proxy"}, {name: FROM, valueFrom: {}}]}
        - {name: d, image: "acme.test/dev/alpha:1.4.3"}
`;
const podSpec = (object: unknown) =>
  (object as { spec: { template: { spec: Record<string, { image?: string; env?: unknown[] }[]> } } }).spec
    .template.spec;

describe("images", () => {
  for (const [text, expected] of [
    ["alpha:1", "alpha:1"],
    ["acme.test:5000/dev/alpha:1.4.2", "alpha:1.4.2"],
    [`a/b/alpha_x:v1@sha256:${"0".repeat(64)}`, "alpha_x:v1"],
    ["alpha", undefined],
    ["http://acme.test/alpha:1", undefined],
    ["alpha:1 ", undefined],
    ["Alpha:1", undefined],
    [`${"a/".repeat(400)}alpha:1`, undefined],
  ] as const)
    test(`of ${text.slice(0, 40)} are known as ${expected}`, () => assert.equal(nameAndTag(text), expected));

  test("are taken from where the component says, by their last word and tag", () => {
    const images = imagesByName(["prod.test/acme/alpha:1.4.2", "prod.test/proxy:2", "prod.test/tool:1"]);
    const { initContainers, containers } = podSpec(localized(only(DEPLOYMENT), images));
    assert.equal(initContainers?.[0]?.image, "prod.test/tool:1");
    assert.deepEqual(
      containers?.map(({ image }) => image),
      ["prod.test/acme/alpha:1.4.2", "acme.test/dev/alpha:1.4.3"],
    );
    assert.deepEqual(containers?.[0]?.env, [
      { name: "PROXY", value: "prod.test/proxy:2" },
      { name: "WORD", value: "proxy" },
      { name: "FROM", valueFrom: {} },
    ]);
  });

  test("of what is no workload stay", () => {
    const job = only(DEPLOYMENT.replace("kind: Deployment", "kind: DaemonSet"));
    assert.equal(localized(job, imagesByName(["prod.test/tool:1"])), job);
    for (const alike of [
      ["a.test/x:1", "b.test/x:1"],
      ["a.test/x:1", "b.test/x:1", "c.test/x:1"],
      ["a.test/x:1", "b.test/x:1", "b.test/x:1"],
    ])
      assert.deepEqual([...imagesByName(alike)], [], "nobody can say which of them is meant");
    assert.deepEqual([...imagesByName(["a.test/x:1", "a.test/x:1"])], [["x:1", "a.test/x:1"]]);
  });
});

describe("a pull secret", () => {
  test("is used by all workloads, and told to the operator", () => {
    const pods = podSpec(withPullSecret(only(DEPLOYMENT), "pull", true));
    assert.deepEqual(pods.imagePullSecrets, [{ name: "pull" }]);
    assert.deepEqual(pods.containers?.[1]?.env, [{ name: "SKR_IMG_PULL_SECRET", value: "pull" }]);
    const other = podSpec(withPullSecret(only(DEPLOYMENT), "pull", false));
    assert.equal(other.containers?.[1]?.env, undefined);
  });

  test("is refused where its variable is taken", () => {
    const taken = only(DEPLOYMENT.replace("name: PROXY", "name: SKR_IMG_PULL_SECRET"));
    assert.match(String(withPullSecret(taken, "pull", true)), /Deployment a sets SKR_IMG_PULL_SECRET itself/);
  });
});

describe("an artifact", () => {
  const self = (manager?: object): Obj<typeof Manifest> =>
    parseObject(Manifest, {
      apiVersion: apiVersionOf(Manifest),
      kind: "Manifest",
      metadata: { ...MANIFEST.metadata, uid: "u", resourceVersion: "1" },
      spec: {
        remote: true,
        install: { name: "raw-manifest", source: { type: "oci-ref", repo: "r", name: "n", ref: "sha256:1" } },
        ...(manager !== undefined && { manager }),
      },
    });
  const placed = (yaml: string) => {
    const artifact = artifactOf(self(), objects(yaml), () => "Namespaced", { dependencyGraceMinutes: 5 });
    return artifact.state === "known" ? artifact.objects : assert.fail(artifact.state);
  };

  test("brings an object once, in whichever version or namespace it is written", () => {
    const found = placed(
      [
        "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: x}}",
        "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: x}}",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {v: first}}",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}, data: {v: second}}",
      ].join("\n---\n"),
    );
    assert.deepEqual(
      found.map(({ apiVersion, data }) => [apiVersion, data]),
      [
        ["autoscaling/v1", undefined],
        ["v1", { v: "first" }],
      ],
    );
  });

  const OPERATOR = { group: "apps", version: "v1", kind: "Deployment", name: "a" };
  for (const [what, manager, namespace] of [
    ["without a namespace is the artifact's of that name", OPERATOR, "x"],
    ["with an empty namespace too", { ...OPERATOR, namespace: "" }, "x"],
    ["in another version too", { ...OPERATOR, version: "v1beta1" }, "x"],
    ["with a namespace is there", { ...OPERATOR, namespace: "y" }, "y"],
    [
      "that is not in the artifact has the namespace that its kind asks for",
      { ...OPERATOR, name: "b" },
      undefined,
    ],
    ["that nobody names is the first workload", undefined, "x"],
  ] as const)
    test(`has an operator that, named ${what}`, () =>
      assert.equal(operatorAt(self(manager), placed(DEPLOYMENT))?.namespace, namespace));
});

const entry = (kind: string, name: string, namespace = "", group = "") => ({
  group,
  version: "v1",
  kind,
  name,
  namespace,
});
describe("the record of what was applied", () => {
  test("grows before anything is applied, and keeps its order", () => {
    const [one, two, three] = [entry("A", "one"), entry("A", "two"), entry("A", "three")];
    assert.equal(lacks([one, two], [two, three]), true);
    assert.deepEqual(recordWith([one, two], [{ ...two, version: "v2" }, three]), [
      one,
      { ...two, version: "v2" },
      three,
    ]);
    assert.equal(lacks([one, two], [two]), false);
    assert.deepEqual(recordWithout([one, two, three], [two]), [one, three]);
  });

  test("has a surplus of what the artifact no longer brings, but for the namespace of all", () => {
    const stored = [entry("A", "one", "x"), entry("A", "two", "x"), entry("Namespace", "kyma-system")];
    assert.deepEqual(surplus(stored, [entry("A", "one", "x")], []), [entry("A", "two", "x")]);
    assert.deepEqual(surplus(stored, [], [{ group: "", kind: "A", name: "two" }]), [entry("A", "one", "x")]);
  });

  test("is not believed to shrink under one digest", () => {
    const missing = [entry("A", "one")];
    assert.equal(isTruncated(missing, "sha256:a", "sha256:a"), true);
    assert.equal(isTruncated(missing, "sha256:b", "sha256:a"), false);
    assert.equal(isTruncated([], "sha256:a", "sha256:a"), false);
  });

  test("names an object with an empty namespace where it has none", () => {
    assert.deepEqual(
      entryOf(only("{apiVersion: v1, kind: X, metadata: {name: a}}", "Cluster")),
      entry("X", "a"),
    );
  });
});

describe("the waves of a deletion", () => {
  const of = (kind: string, group = "") => ({ entry: entry(kind, kind, "", group) });
  test("leave the operator, its rights and what holds others' objects to the last", () => {
    for (const kind of ["Deployment", "StatefulSet", "DaemonSet"])
      assert.ok(goesLast(entry(kind, "a", "", "apps")));
    assert.ok(goesLast(entry("CustomResourceDefinition", "a", "", "apiextensions.k8s.io")));
    assert.ok(!goesLast(entry("Deployment", "a", "", "acme.test")));
    assert.ok(!goesLast(entry("ConfigMap", "a")));
  });
  test("are two", () => {
    const [map, service] = [of("ConfigMap"), of("Service")];
    assert.deepEqual(nextWave([service, map]), [map]);
    assert.deepEqual(nextWave([service]), [service]);
    assert.deepEqual(nextWave([]), []);
  });
});
