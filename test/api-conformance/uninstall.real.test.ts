import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { startControllers } from "../../infra/controllers/index.ts";
import { faces } from "../../infra/local/faces/index.ts";
import { startLocalApi } from "../../infra/local/index.ts";
import { startSimulator } from "../../infra/simulator/index.ts";
import {
  connectionTo,
  skipWithoutControlPlane,
  startControlPlane,
} from "../../infra/testing/control-plane.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { configMap, expectCode, until } from "./objects.ts";
import { Api, type Target } from "./target.ts";

/** A server with what ends objects and what makes pods. */
interface Cluster {
  readonly target: Target;
  stop(): Promise<void>;
}

async function local(): Promise<Cluster> {
  const server = await startLocalApi({ faces });
  const { token, ca } = server.clientOptions;
  const client = createKubeClient({ connection: connectionTo({ url: server.url, token, ca }) });
  const controllers = await startControllers({ client });
  const simulator = await startSimulator({ client, delayMilliseconds: 0 });
  return {
    target: { url: server.url, token, ca },
    stop: async () => {
      await Promise.all([simulator.stop(), controllers.stop()]);
      client.close();
      await server.close();
    },
  };
}

async function real(): Promise<Cluster> {
  const plane = await startControlPlane({ controllerManager: true });
  const client = createKubeClient({ connection: connectionTo(plane) });
  const simulator = await startSimulator({ client, only: ["Pod"], delayMilliseconds: 0 });
  return {
    target: plane,
    stop: async () => {
      await simulator.stop();
      client.close();
      await plane.stop();
    },
  };
}

type Policy = "Background" | "Foreground" | "Orphan";

/** DeleteOptions as Go clients send them: protobuf behind four letters. */
function deleteOptions(policy: Policy): Buffer {
  const field = (number: number, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
  const type = Buffer.concat([field(1, Buffer.from("v1")), field(2, Buffer.from("DeleteOptions"))]);
  const options = field(4, Buffer.from(policy));
  return Buffer.concat([Buffer.from("k8s\0"), field(1, type), field(2, options)]);
}

const namespace = "releases";
const core = `/api/v1/namespaces/${namespace}`;
const apps = `/apis/apps/v1/namespaces/${namespace}`;
const labels = { app: "a" };
const workload = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a", labels },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
};
const release = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "sh.helm.release.v1.a.v1", labels: { owner: "helm", name: "a" } },
  type: "helm.sh/release.v1",
  stringData: { release: "x" },
};

for (const [name, skip, start] of [
  ["local API", false, local],
  ["real API server", skipWithoutControlPlane({ controllerManager: true }), real],
] as const)
  describe(`a release is taken away from the ${name}`, { skip: skip !== false }, () => {
    let cluster: Cluster;
    let api: Api;
    beforeAll(async () => {
      cluster = await start();
      api = new Api(cluster.target);
      await expectCode(201, api.post("/api/v1/namespaces", { metadata: { name: namespace } }));
    });
    afterAll(async () => {
      api?.close();
      await cluster?.stop();
    });

    const names = async (path: string): Promise<readonly string[]> =>
      (await expectCode(200, api.get(`${path}?labelSelector=app=a`))).items.map((one) => one.metadata.name);
    const remove = (path: string, policy: Policy) =>
      api.send("DELETE", path, deleteOptions(policy), "application/vnd.kubernetes.protobuf");
    const gone = (path: string): Promise<void> => until(async () => (await api.get(path)).code === 404);

    async function install(): Promise<void> {
      await expectCode(201, api.post(`${core}/secrets`, release));
      await expectCode(201, api.post(`${core}/configmaps`, configMap("a", { a: "1" })));
      await expectCode(201, api.post(`${apps}/deployments`, workload));
      await until(async () => {
        const { body } = await api.get(`${apps}/deployments/a`);
        return (body.status as { readonly readyReplicas?: number } | undefined)?.readyReplicas === 1;
      });
    }
    /** What helm does after its resources: the record of the release goes last. */
    async function forget(): Promise<void> {
      await expectCode(200, remove(`${core}/configmaps/a`, "Background"));
      await expectCode(200, remove(`${core}/secrets/${release.metadata.name}`, "Background"));
      await gone(`${core}/configmaps/a`);
      await gone(`${core}/secrets/${release.metadata.name}`);
      assert.equal((await remove(`${core}/secrets/${release.metadata.name}`, "Background")).code, 404);
    }

    test("in the background: the owner goes at once, what it owns later", async () => {
      await install();
      const body = await expectCode(200, remove(`${apps}/deployments/a`, "Background"));
      assert.equal(body.kind, "Status");
      assert.equal((await api.get(`${apps}/deployments/a`)).code, 404);
      await until(async () => (await names(`${apps}/replicasets`)).length === 0);
      await until(async () => (await names(`${core}/pods`)).length === 0);
      await forget();
    });
    test("in the foreground: the owner stays, marked, until what it owns is gone", async () => {
      await install();
      const [set = ""] = await names(`${apps}/replicasets`);
      const pin = { metadata: { finalizers: ["test.example.org/pin"] } };
      await expectCode(200, api.merge(`${apps}/replicasets/${set}`, pin));
      const body = await expectCode(200, remove(`${apps}/deployments/a`, "Foreground"));
      assert.equal(body.kind, "Deployment");
      assert.deepEqual(body.metadata.finalizers, ["foregroundDeletion"]);
      await until(async () => {
        const { body: pinned } = await api.get(`${apps}/replicasets/${set}`);
        return pinned.metadata.deletionTimestamp !== undefined;
      });
      await until(async () => (await names(`${core}/pods`)).length === 0);
      assert.deepEqual(await names(`${apps}/deployments`), ["a"]);
      await expectCode(200, api.merge(`${apps}/replicasets/${set}`, { metadata: { finalizers: null } }));
      await gone(`${apps}/replicasets/${set}`);
      await gone(`${apps}/deployments/a`);
      await forget();
    });
    test("leaving orphans: what it owns stays, without an owner", async () => {
      await install();
      const [set = ""] = await names(`${apps}/replicasets`);
      await expectCode(200, remove(`${apps}/deployments/a`, "Orphan"));
      await gone(`${apps}/deployments/a`);
      const { metadata } = await expectCode(200, api.get(`${apps}/replicasets/${set}`));
      assert.equal(metadata.ownerReferences, undefined);
      assert.equal(metadata.deletionTimestamp, undefined);
      assert.equal((await names(`${core}/pods`)).length, 1);
      await expectCode(200, remove(`${apps}/replicasets/${set}`, "Background"));
      await until(async () => (await names(`${core}/pods`)).length === 0);
      await forget();
    });
  });
