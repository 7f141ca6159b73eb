import assert from "node:assert/strict";
import { test } from "vitest";
import { installCrd } from "../../../infra/testing/install-crds.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Deployment } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { FeatureGate, ProxyConfig } from "../kinds/index.ts";
import { type Component, configMap, manifest, NAMESPACE } from "./releases.ts";
import { allWell, installed, type Stage, startStage } from "./stage.ts";

const OLD = "5.1.9";
const DNS: Component = {
  name: "dns",
  level: "70",
  files: {
    "20_gated": configMap("gated", {}, { "release.openshift.io/feature-gate": "MyGate" }),
    "30_workload": manifest(
      "apps/v1",
      "Deployment",
      {
        name: "resolver",
        namespace: NAMESPACE,
        annotations: { "config.openshift.io/inject-proxy": "main" },
      },
      {
        spec: {
          selector: { matchLabels: { app: "resolver" } },
          template: {
            metadata: { labels: { app: "resolver" } },
            spec: { containers: [{ name: "main", image: "i" }] },
          },
        },
      },
    ),
  },
};

/** As somebody else has installed the kind. */
const looseCrd = ({ group, version, kind, plural }: Resource): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Cluster",
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
});

/** Makes the object `cluster` of a kind say this. */
async function says(stage: Stage, kind: Kind, status: object): Promise<void> {
  const { client } = stage.stack;
  const resource = resourceOf(kind);
  const body: KubeObject = {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { name: "cluster" },
    spec: {},
  };
  if ((await client.get(resource, body.metadata)) === undefined)
    await client.create(resource, body, { fieldManager: "admin" });
  await client.patch(
    resource,
    { name: "cluster" },
    "merge",
    { status },
    {
      fieldManager: "admin",
      subresource: "status",
    },
  );
}
const gate = (stage: Stage, where: "enabled" | "disabled") =>
  says(stage, FeatureGate, {
    featureGates: [{ version: OLD, enabled: [], disabled: [], [where]: [{ name: "MyGate" }] }],
  });

test("a feature gate and the proxy are followed at once where a cluster has them", async (t) => {
  const api = await startTestApi({ api: "local", controllers: false });
  for (const kind of [FeatureGate, ProxyConfig])
    await installCrd(api.client, looseCrd(resourceOf(kind)), resourceOf(kind));
  const stage = await startStage({ api });
  t.onTestFinished(() => stage.stop());
  await gate(stage, "disabled");
  await installed(stage, OLD, [DNS]);
  const gated = async () => (await stage.get(ConfigMap, "gated", NAMESPACE)) !== undefined;
  const proxies = async () => {
    const { spec } = (await stage.get(Deployment, "resolver", NAMESPACE)) ?? {};
    return (spec?.template?.spec?.containers[0]?.env ?? []).map(({ value }) => value);
  };
  assert.deepEqual([await gated(), await proxies()], [false, []]);
  const hash = (await stage.says()).status?.versionHash;

  await gate(stage, "enabled");
  await allWell(stage, OLD, ["dns"]);
  assert.equal(await gated(), true);
  assert.notEqual((await stage.says()).status?.versionHash, hash);

  await says(stage, ProxyConfig, { httpProxy: "http://p:1", httpsProxy: "https://p:2", noProxy: ".svc" });
  await stage.settled();
  assert.deepEqual(await proxies(), ["http://p:1", "https://p:2", ".svc"]);
});
