import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import {
  decorated,
  dependenciesHash,
  dependenciesOf,
  type Origin,
  pipeArtifactName,
  pipePodName,
} from "./index.ts";

const ORIGIN: Origin = {
  operator: "pgmini",
  operatorVersion: "0.3.0",
  instance: "shopdb",
  namespace: "shop",
  plan: "deploy",
  phase: "main",
  step: "nodes",
  planUid: "7b1e",
};
const LABELS = { heritage: "kudo", "kudo.dev/operator": "pgmini", "kudo.dev/instance": "shopdb" };
const ANNOTATIONS = {
  "kudo.dev/plan": "deploy",
  "kudo.dev/phase": "main",
  "kudo.dev/step": "nodes",
  "kudo.dev/last-plan-execution-uid": "7b1e",
};
const POD_ANNOTATIONS = { "kudo.dev/operator-version": "0.3.0" };

const object = (
  apiVersion: string,
  kind: string,
  fields: Readonly<Record<string, unknown>> = {},
): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: "one" },
  ...fields,
});

describe("an object of a task", () => {
  it("bears the marks of its Instance and run, which win over those of its template", () => {
    const metadata = {
      name: "one",
      namespace: "elsewhere",
      labels: { app: "db", heritage: "mine" },
      annotations: { note: "kept", "kudo.dev/plan": "mine" },
    };
    assert.deepEqual(decorated({ ...object("v1", "ConfigMap"), metadata }, "Namespaced", ORIGIN, undefined), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "one",
        namespace: "shop",
        labels: { app: "db", ...LABELS },
        annotations: { note: "kept", ...ANNOTATIONS },
      },
    });
  });

  it("has no namespace where its kind has none", () => {
    const { metadata } = decorated(
      { ...object("v1", "PersistentVolume"), metadata: { name: "one", namespace: "elsewhere" } },
      "Cluster",
      ORIGIN,
      undefined,
    );
    assert.ok(!("namespace" in metadata));
  });

  const template = { metadata: { labels: { app: "db" } }, spec: { containers: [] } };
  const marked = {
    metadata: { labels: { app: "db", ...LABELS }, annotations: POD_ANNOTATIONS },
    spec: { containers: [] },
  };
  for (const [apiVersion, kind] of [
    ["apps/v1", "StatefulSet"],
    ["apps/v1", "Deployment"],
    ["extensions/v1beta1", "Deployment"],
    ["apps/v1", "ReplicaSet"],
    ["v1", "ReplicationController"],
    ["apps/v1", "DaemonSet"],
    ["batch/v1", "Job"],
  ] as const)
    it(`marks the pods of a ${kind} of ${apiVersion}, and leaves its selector`, () => {
      const selector = { matchLabels: { app: "db" } };
      const { spec } = decorated(
        object(apiVersion, kind, { spec: { selector, template } }),
        "Namespaced",
        ORIGIN,
        undefined,
      );
      assert.deepEqual(spec, { selector, template: marked });
    });

  it("marks the pods of a CronJob", () => {
    const { spec } = decorated(
      object("batch/v1", "CronJob", { spec: { jobTemplate: { spec: { template } } } }),
      "Namespaced",
      ORIGIN,
      undefined,
    );
    assert.deepEqual(spec, { jobTemplate: { spec: { template: marked } } });
  });

  it("marks the claims of a StatefulSet with labels alone", () => {
    const { spec } = decorated(
      object("apps/v1", "StatefulSet", {
        spec: { template, volumeClaimTemplates: [{ metadata: { name: "data" } }] },
      }),
      "Namespaced",
      ORIGIN,
      "abc",
    );
    assert.deepEqual(spec, {
      template: {
        ...marked,
        metadata: {
          ...marked.metadata,
          annotations: { ...POD_ANNOTATIONS, "kudo.dev/dependencies-hash": "abc" },
        },
      },
      volumeClaimTemplates: [{ metadata: { name: "data", labels: LABELS } }],
    });
  });

  it("is left as it is beyond its metadata where another group has a kind of the same name", () => {
    const spec = { template };
    assert.deepEqual(
      decorated(object("example.com/v1", "Deployment", { spec }), "Namespaced", ORIGIN, undefined).spec,
      spec,
    );
  });
});

const workload = (kind: string, replicas: number): KubeObject =>
  object("apps/v1", kind, {
    spec: {
      replicas,
      template: {
        spec: {
          imagePullSecrets: [{ name: "registry" }],
          volumes: [
            { name: "a", configMap: { name: "settings" } },
            { name: "b", secret: { secretName: "keys" } },
            {
              name: "c",
              projected: { sources: [{ configMap: { name: "more" } }, { secret: { name: "token" } }] },
            },
            { name: "d", emptyDir: {} },
          ],
          initContainers: [
            { envFrom: [{ secretRef: { name: "start" } }, { configMapRef: { name: "settings" } }] },
          ],
          containers: [
            {
              env: [
                { name: "A", value: "1" },
                { name: "B", valueFrom: { secretKeyRef: { name: "keys", key: "b" } } },
                { name: "C", valueFrom: { configMapKeyRef: { name: "flags", key: "c" } } },
                { name: "D", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
              ],
            },
          ],
        },
      },
    },
  });

describe("what the pods of a workload see", () => {
  it("are the ConfigMaps and Secrets that they mount, read as variables, or pull images with", () => {
    assert.deepEqual(
      dependenciesOf(workload("Deployment", 1)).map(({ kind, name }) => `${kind}/${name}`),
      [
        "ConfigMap/flags",
        "ConfigMap/more",
        "ConfigMap/settings",
        "Secret/keys",
        "Secret/registry",
        "Secret/start",
        "Secret/token",
      ],
    );
  });

  it("is not told for a Job, whose template cannot change", () => {
    assert.deepEqual(dependenciesOf({ ...workload("Job", 1), apiVersion: "batch/v1" }), []);
    assert.equal(
      dependenciesHash([], () => undefined),
      undefined,
    );
  });

  const texts = fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 6 }), {
    noNullPrototype: true,
  });
  const configMap = (data: Readonly<Record<string, string>>, noise: object = {}): KubeObject => ({
    ...object("v1", "ConfigMap", { data }),
    metadata: { name: "settings", ...noise },
  });
  const hashWith = (replicas: number, found: KubeObject | undefined): string | undefined =>
    dependenciesHash(dependenciesOf(workload("Deployment", replicas)), ({ name }) =>
      name === "settings" ? found : undefined,
    );

  it("changes the hash when its data change, and neither with replicas nor with metadata", () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), (data, other, replicas) => {
        const hash = hashWith(1, configMap(data));
        assert.match(hash ?? "", /^[0-9a-f]{64}$/);
        assert.equal(hashWith(replicas, configMap(data, { resourceVersion: "7", labels: { a: "b" } })), hash);
        const isSame =
          JSON.stringify(Object.entries(data).sort()) === JSON.stringify(Object.entries(other).sort());
        assert.equal(hashWith(1, configMap(other)) === hash, isSame);
      }),
    );
  });

  it("is hashed alike whether a Secret is rendered as text or read as it is stored", () => {
    const stored = { ...object("v1", "Secret", { data: { a: "eA==" } }) };
    const rendered = { ...object("v1", "Secret", { stringData: { a: "x" } }) };
    const keys = [{ kind: "Secret", name: "keys" }] as const;
    assert.equal(
      dependenciesHash(keys, () => rendered),
      dependenciesHash(keys, () => stored),
    );
  });

  it("counts as empty where it asks to be left out", () => {
    const annotations = { "kudo.dev/skip-hash-calculation": "true" };
    assert.equal(hashWith(1, configMap({ a: "1" }, { annotations })), hashWith(1, undefined));
  });
});

it("names what a Pipe task makes as upstream does", () => {
  const place = { instance: "shop-db", plan: "deploy", phase: "Main", step: "gen_keys", task: "pipe.it" };
  assert.equal(pipePodName(place), "shopdb.deploy.main.genkeys.pipeit.pipepod");
  assert.equal(pipeArtifactName(place, "Cert_1"), "shopdb.deploy.main.genkeys.pipeit.cert1");
});
