import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { localApiServer } from "../testing/api-servers.ts";
import { eventually } from "../testing/eventually.ts";
import { startControllers } from "./start.ts";

const core = (kind: string, plural: string, scope: Resource["scope"] = "Namespaced"): Resource => ({
  group: "",
  version: "v1",
  kind,
  plural,
  scope,
});
const ConfigMap = core("ConfigMap", "configmaps");
const ServiceAccount = core("ServiceAccount", "serviceaccounts");
const Namespace = core("Namespace", "namespaces", "Cluster");
const by = { fieldManager: "test" };
const certificate = "-----BEGIN CERTIFICATE-----\n";

async function withControllers(play: (client: KubeClient, idle: () => Promise<void>) => Promise<void>) {
  const server = await localApiServer.start();
  const client = createKubeClient({ connection: server.connection });
  const controllers = await startControllers({ client, certificate });
  try {
    await play(client, () => controllers.idle());
  } finally {
    await controllers.stop();
    client.close();
    await server.stop();
  }
}

const root = (client: KubeClient, namespace: string): Promise<KubeObject | undefined> =>
  client.get(ConfigMap, { namespace, name: "kube-root-ca.crt" });
const account = (client: KubeClient, namespace: string): Promise<KubeObject | undefined> =>
  client.get(ServiceAccount, { namespace, name: "default" });

const known = (client: KubeClient, namespace: string): Promise<unknown> =>
  eventually(`${namespace} has its account and the authority`, async () => {
    const data = (await root(client, namespace))?.data as Record<string, string> | undefined;
    return (await account(client, namespace)) !== undefined &&
      data?.["ca.crt"] === certificate &&
      Object.keys(data).length === 1
      ? true
      : undefined;
  });
const remove = async (
  client: KubeClient,
  resource: Resource,
  place: { name: string; namespace?: string },
) => {
  const uid = (await client.get(resource, place))?.metadata.uid ?? "";
  await client.delete(resource, place, { uid });
  return uid;
};

test("each namespace gets its account and the authority, and gets them back", () =>
  withControllers(async (client) => {
    const namespace = "fresh";
    await client.create(
      Namespace,
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      by,
    );
    for (const name of ["default", "kube-system", namespace]) await known(client, name);
    const uid = await remove(client, ServiceAccount, { namespace, name: "default" });
    await known(client, namespace);
    assert.notEqual((await account(client, namespace))?.metadata.uid, uid);
    const changed = { data: { "ca.crt": "forged", more: "x" } };
    await client.patch(ConfigMap, { namespace, name: "kube-root-ca.crt" }, "merge", changed, by);
    await known(client, namespace);
  }));

test("a namespace goes although it had them", () =>
  withControllers(async (client) => {
    const name = "going";
    await client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } }, by);
    await known(client, name);
    await remove(client, Namespace, { name });
    await eventually("the namespace is gone", async () =>
      (await client.get(Namespace, { name })) === undefined ? true : undefined,
    );
  }));

test("what is there is not written again", () =>
  withControllers(async (client, idle) => {
    const names = ["default", "kube-public", "kube-system"];
    for (const name of names) await known(client, name);
    await idle();
    const versions = async (): Promise<readonly unknown[]> =>
      Promise.all(
        names.map(async (name) => [
          (await root(client, name))?.metadata.resourceVersion,
          (await account(client, name))?.metadata.resourceVersion,
        ]),
      );
    const before = await versions();
    const again = await startControllers({ client, certificate });
    await again.idle();
    await again.stop();
    assert.deepEqual(await versions(), before);
  }));
