import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { simulationTools } from "../../../infra/testing/system-parts.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import type { Post, Simulation } from "../../../shared/function/simulation.ts";
import { fieldOf, listOf } from "../../../shared/json/fields.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import { playClusterApi } from "./play.ts";
import {
  CLUSTER_CLASSES,
  CLUSTERS,
  EXTENSION_CONFIGS,
  PROVIDER_RELEASES,
  resourceOfReference,
} from "./resources.ts";

const INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io/v1beta1";
const CONTROL_PLANE = "controlplane.cluster.x-k8s.io/v1beta1";
const CONTROL_PLANES = resourceOfReference(CONTROL_PLANE, "KubeadmControlPlane");
const AT = { namespace: "default", name: "demo" } as const;

let api: TestApi;
let playing: Simulation | undefined;
/** The questions so far, as `hook from→to`, and the answers by hook. */
let asked: string[];
let answers: Readonly<Record<string, object>>;

/** An extension that answers two hooks. */
const post: Post = async (url, body) => {
  const path = new URL(url).pathname.split("/");
  const hook = path.at(-2) ?? "";
  if (path.at(-1) === "discovery")
    return {
      status: "Success",
      handlers: ["AfterControlPlaneInitialized", "BeforeClusterUpgrade", "AfterClusterUpgrade"].map(
        (one) => ({
          name: one.toLowerCase(),
          requestHook: { apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1", hook: one },
        }),
      ),
    };
  const { fromKubernetesVersion: from, toKubernetesVersion: to } = body as Readonly<Record<string, unknown>>;
  asked.push(from === undefined ? hook : `${hook} ${String(from)}→${String(to)}`);
  return answers[hook] ?? { status: "Success" };
};
const play = async (): Promise<void> => {
  playing = await playClusterApi({ ...simulationTools(api.client), post }, { delayMilliseconds: 5 });
};
const put = (resource: Resource, name: string, fields: object, namespace?: string): Promise<KubeObject> => {
  const object = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name, namespace },
    ...fields,
  };
  return api.client.apply(resource, { name, namespace }, object, { fieldManager: "test", force: true });
};
const template = (apiVersion: string, kind: string, name: string): Promise<KubeObject> =>
  put(resourceOfReference(apiVersion, kind), name, { spec: { template: { spec: { of: name } } } }, "default");
async function aClass(name: string): Promise<void> {
  await template(INFRASTRUCTURE, "DockerClusterTemplate", name);
  await template(CONTROL_PLANE, "KubeadmControlPlaneTemplate", name);
  const ref = (apiVersion: string, kind: string) => ({ ref: { apiVersion, kind, name } });
  const spec = {
    infrastructure: ref(INFRASTRUCTURE, "DockerClusterTemplate"),
    controlPlane: ref(CONTROL_PLANE, "KubeadmControlPlaneTemplate"),
  };
  await put(CLUSTER_CLASSES, name, { spec }, "default");
}
const cluster = (className: string, version: string): Promise<KubeObject> =>
  put(CLUSTERS, AT.name, { spec: { topology: { class: className, version } } }, "default");
const kubeconfig = (): Promise<KubeObject> =>
  put(resourceOf(Secret), "demo-kubeconfig", { data: { value: "eA==" } }, "default");
const extension = (): Promise<KubeObject> =>
  put(EXTENSION_CONFIGS, "reveille", { spec: { clientConfig: { url: "https://127.0.0.1:9" } } });

const conditionOf = async (type: string): Promise<string> => {
  const found = await api.client.get(CLUSTERS, AT);
  const one = listOf(fieldOf(found?.status, "conditions")).find((each) => fieldOf(each, "type") === type);
  return [fieldOf(one, "status"), fieldOf(one, "reason"), fieldOf(one, "message")].filter(Boolean).join(" ");
};
const versionOf = async (): Promise<unknown> =>
  fieldOf((await api.client.get(CONTROL_PLANES, AT))?.status, "version");
const until = (what: string, holds: () => Promise<boolean>): Promise<unknown> => eventually(what, holds);
const running = (): Promise<unknown> =>
  until("the Cluster to be available", async () => (await conditionOf("Available")) === "True");

beforeEach(async () => {
  api = await startTestApi({ api: "local", controllers: false });
  asked = [];
  answers = {};
});
afterEach(async () => {
  await playing?.stop();
  await api.stop();
});

describe("the player of Cluster API", () => {
  test("brings up a Cluster of a class once an API server stands in for it, and says what is missing until then", async () => {
    await play();
    await extension();
    await cluster("one", "v1.27.3");
    await until("the class to be missed", async () =>
      (await conditionOf("TopologyReconciled")).endsWith("ClusterClass default/one is not there"),
    );
    await aClass("one");
    await until("the kubeconfig to be missed", async () =>
      /False NoApiServer .*demo-kubeconfig is missing/.test(await conditionOf("InfrastructureReady")),
    );
    await kubeconfig();
    await running();
    assert.equal(await versionOf(), "v1.27.3");
    const { spec, status } = (await api.client.get(CLUSTERS, AT)) ?? assert.fail("no Cluster");
    assert.equal(fieldOf(fieldOf(spec, "controlPlaneRef"), "kind"), "KubeadmControlPlane");
    assert.equal(fieldOf(status, "phase"), "Provisioned");
    assert.equal(await conditionOf("Ready"), "True");
    await playing?.idle();
    assert.deepEqual(asked, ["aftercontrolplaneinitialized"]);
  });

  test("asks before an upgrade, holds it as long as it is told, and rolls the version then", async () => {
    await play();
    await extension();
    await aClass("one");
    await kubeconfig();
    await cluster("one", "v1.27.3");
    await running();
    answers = {
      beforeclusterupgrade: { status: "Success", retryAfterSeconds: 0.02, message: "addons first" },
    };
    await cluster("one", "v1.28.0");
    await until("the hook to hold it", async () =>
      /False LifecycleHookBlocking .*v1\.28\.0: addons first/.test(await conditionOf("TopologyReconciled")),
    );
    await until("it to be asked again", async () => asked.length > 4);
    assert.equal(await versionOf(), "v1.27.3");
    answers = {};
    await until("the version to roll", async () => (await versionOf()) === "v1.28.0");
    await until("the last hook to be called", async () => asked.includes("afterclusterupgrade"));
    assert.deepEqual(
      [...new Set(asked)],
      ["aftercontrolplaneinitialized", "beforeclusterupgrade v1.27.3→v1.28.0", "afterclusterupgrade"],
    );
    await until("nothing to hold it", async () => (await conditionOf("TopologyReconciled")) === "True");
  });

  test("rolls nothing while a hook fails, and goes on from the objects after it was away", async () => {
    await play();
    await extension();
    await aClass("one");
    await kubeconfig();
    await cluster("one", "v1.27.3");
    await running();
    answers = { beforeclusterupgrade: { status: "Failure", message: "no addons" } };
    await cluster("one", "v1.28.0");
    await until("the failure to be told", async () =>
      (await conditionOf("TopologyReconciled")).includes("TopologyReconcileFailed no addons"),
    );
    await playing?.stop();
    answers = {};
    await play();
    await until("the version to roll", async () => (await versionOf()) === "v1.28.0");
  });

  test("moves to another class of the same version without asking, and lets go of a Cluster with what it made", async () => {
    await play();
    await extension();
    await aClass("one");
    await aClass("two");
    await kubeconfig();
    await cluster("one", "v1.27.3");
    await running();
    await cluster("two", "v1.27.3");
    await until(
      "the template to be followed",
      async () => fieldOf((await api.client.get(CONTROL_PLANES, AT))?.spec, "of") === "two",
    );
    assert.deepEqual(asked, ["aftercontrolplaneinitialized"]);
    const { metadata } = (await api.client.get(CLUSTERS, AT)) ?? assert.fail("no Cluster");
    await api.client.delete(CLUSTERS, AT, { uid: metadata.uid });
    await until("it to be gone", async () => (await api.client.get(CLUSTERS, AT)) === undefined);
    assert.equal(await api.client.get(CONTROL_PLANES, AT), undefined);
  });

  test("has a provider's release ready after a moment", async () => {
    await play();
    await put(PROVIDER_RELEASES, "docker-ferrol-1-27-v1", { spec: {} }, "default");
    await until("it to be ready", async () => {
      const found = await api.client.get(PROVIDER_RELEASES, {
        name: "docker-ferrol-1-27-v1",
        namespace: "default",
      });
      return fieldOf(found?.status, "ready") === true;
    });
  });
});
