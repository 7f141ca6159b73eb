import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { apiVersionOf, type KubeObject, type OwnerReference } from "../../shared/kube/object.ts";
import { type ApiServer, apiServers } from "../testing/api-servers.ts";
import { eventually } from "../testing/eventually.ts";
import { type Controllers, startControllers } from "./start.ts";

const by = { fieldManager: "test" };
const core = (kind: string, plural: string, scope: Resource["scope"] = "Namespaced"): Resource => ({
  group: "",
  version: "v1",
  kind,
  plural,
  scope,
});
const ConfigMap = core("ConfigMap", "configmaps");
const Secret = core("Secret", "secrets");
const Namespace = core("Namespace", "namespaces", "Cluster");
const Definition: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};
const Toy: Resource = {
  group: "test.reveille.dev",
  version: "v1",
  kind: "Toy",
  plural: "toys",
  scope: "Namespaced",
};

for (const { name, skip, start } of apiServers)
  describe(`controllers on the ${name} API server`, { skip: skip !== false }, () => {
    let server: ApiServer;
    let client: KubeClient;
    let controllers: Controllers;
    beforeAll(async () => {
      server = await start();
      client = createKubeClient({ connection: server.connection });
      controllers = await startControllers({ client });
    });
    afterAll(async () => {
      await controllers?.stop();
      client?.close();
      await server?.stop();
    });

    const make = (
      resource: Resource,
      name: string,
      {
        owners = [],
        finalizers = [],
        namespace = "default",
      }: { owners?: readonly OwnerReference[]; finalizers?: readonly string[]; namespace?: string } = {},
    ) =>
      client.create(
        resource,
        {
          apiVersion: apiVersionOf(resource),
          kind: resource.kind,
          metadata: {
            name,
            ...(resource.scope === "Cluster" ? {} : { namespace }),
            ownerReferences: owners,
            finalizers,
          },
        },
        by,
      );
    const ref = ({ apiVersion, kind, metadata }: KubeObject, blockOwnerDeletion = false): OwnerReference => ({
      apiVersion,
      kind,
      name: metadata.name,
      uid: metadata.uid ?? "",
      blockOwnerDeletion,
    });
    const at = (name: string, namespace = "default") => ({ namespace, name });
    const gone = (resource: Resource, name: string, namespace = "default") =>
      eventually(
        `${resource.kind} ${name} is gone`,
        async () =>
          (await client.get(resource, resource.scope === "Cluster" ? { name } : at(name, namespace))) ===
          undefined,
      );
    const release = (resource: Resource, name: string, namespace = "default") =>
      client.patch(resource, at(name, namespace), "merge", { metadata: { finalizers: null } }, by);

    test("a dependent goes after its owner, and its own dependents too", async () => {
      const owner = await make(ConfigMap, "b-owner");
      const child = await make(ConfigMap, "b-child", { owners: [ref(owner)] });
      await make(Secret, "b-grandchild", { owners: [ref(child)] });
      await controllers.idle();
      assert.ok(await client.get(ConfigMap, at("b-child")));
      await client.delete(ConfigMap, at("b-owner"), { uid: owner.metadata.uid });
      await gone(Secret, "b-grandchild");
      assert.equal(await client.get(ConfigMap, at("b-child")), undefined);
    });

    test("a dependent of a uid that never was goes; one of a living owner beside a dead one stays, without the dead", async () => {
      const dead: OwnerReference = {
        apiVersion: "v1",
        kind: "ConfigMap",
        name: "nobody",
        uid: "6b1a0a51-0000-4000-8000-000000000000",
      };
      await make(ConfigMap, "u-child", { owners: [dead] });
      await gone(ConfigMap, "u-child");
      const owner = await make(ConfigMap, "u-owner");
      await make(ConfigMap, "u-shared", { owners: [dead, ref(owner)] });
      const left = await eventually("the dead owner is dropped", async () => {
        const owners = (await client.get(ConfigMap, at("u-shared")))?.metadata.ownerReferences;
        return owners?.length === 1 && owners;
      });
      assert.equal(left[0]?.uid, owner.metadata.uid);
    });

    test("an owner in another namespace counts as absent", async () => {
      await make(Namespace, "elsewhere");
      const owner = await make(ConfigMap, "far-owner", { namespace: "elsewhere" });
      await make(ConfigMap, "far-child", { owners: [ref(owner)] });
      await gone(ConfigMap, "far-child");
      assert.ok(await client.get(ConfigMap, at("far-owner", "elsewhere")));
    });

    test("a cluster-scoped dependent of an owner with a namespace stays", async () => {
      const owner = await make(ConfigMap, "scoped-owner");
      await make(Namespace, "scoped-child", { owners: [ref(owner)] });
      await client.delete(ConfigMap, at("scoped-owner"), { uid: owner.metadata.uid });
      await controllers.idle();
      assert.ok(await client.get(Namespace, { name: "scoped-child" }));
      // One that comes when its owner is known to be gone stays, too.
      const witness = await make(ConfigMap, "scoped-witness", { owners: [ref(owner)] });
      await gone(ConfigMap, witness.metadata.name);
      await make(Namespace, "late-child", { owners: [ref(owner)] });
      await controllers.idle();
      assert.ok(await client.get(Namespace, { name: "late-child" }));
    });

    test("an owner deleted in the foreground waits for the dependents that block it", async () => {
      const owner = await make(ConfigMap, "f-owner");
      await make(ConfigMap, "f-blocking", {
        owners: [ref(owner, true)],
        finalizers: ["test.reveille.dev/hold"],
      });
      await make(ConfigMap, "f-loose", { owners: [ref(owner)], finalizers: ["test.reveille.dev/hold"] });
      await client.delete(ConfigMap, at("f-owner"), {
        uid: owner.metadata.uid,
        propagationPolicy: "Foreground",
      });
      for (const name of ["f-blocking", "f-loose"])
        await eventually(
          `${name} is being deleted`,
          async () => (await client.get(ConfigMap, at(name)))?.metadata.deletionTimestamp !== undefined,
        );
      await controllers.idle();
      assert.deepEqual((await client.get(ConfigMap, at("f-owner")))?.metadata.finalizers, [
        "foregroundDeletion",
      ]);
      await release(ConfigMap, "f-blocking");
      await gone(ConfigMap, "f-owner");
      assert.ok(await client.get(ConfigMap, at("f-loose")));
      await release(ConfigMap, "f-loose");
      await gone(ConfigMap, "f-loose");
    });

    test("an orphaning delete leaves the dependents, without their reference", async () => {
      const owner = await make(ConfigMap, "o-owner");
      await make(ConfigMap, "o-child", { owners: [ref(owner, true)] });
      await controllers.idle();
      await client.delete(ConfigMap, at("o-owner"), { uid: owner.metadata.uid, propagationPolicy: "Orphan" });
      await gone(ConfigMap, "o-owner");
      await controllers.idle();
      const child = await client.get(ConfigMap, at("o-child"));
      assert.ok(child);
      assert.equal(child.metadata.ownerReferences, undefined);
    });

    test("kinds of new definitions take part at once, as owners and as dependents", async () => {
      await client.create(Definition, toyDefinition, by);
      const owner = await eventually("the kind is served", () => make(Toy, "t-owner").catch(() => undefined));
      await make(ConfigMap, "t-child", { owners: [ref(owner, true)] });
      const parent = await make(ConfigMap, "t-parent");
      await make(Toy, "t-toy", { owners: [ref(parent)] });
      await client.delete(Toy, at("t-owner"), { uid: owner.metadata.uid, propagationPolicy: "Background" });
      await client.delete(ConfigMap, at("t-parent"), { uid: parent.metadata.uid });
      await gone(ConfigMap, "t-child");
      await gone(Toy, "t-toy");
    });

    test("a terminating namespace is emptied of every kind, says what holds it, and goes", async () => {
      await make(Namespace, "ending");
      await make(Secret, "plain", { namespace: "ending" });
      await make(ConfigMap, "held", { namespace: "ending", finalizers: ["test.reveille.dev/hold"] });
      await make(Toy, "toy", { namespace: "ending" });
      const namespace = await client.get(Namespace, { name: "ending" });
      await client.delete(Namespace, { name: "ending" }, { uid: namespace?.metadata.uid });
      const conditions = await eventually("the namespace says what holds it", async () => {
        const { status } = (await client.get(Namespace, { name: "ending" })) as {
          status?: { conditions?: { type: string; status: string; message: string }[] };
        };
        return status?.conditions?.filter(({ status: value }) => value === "True");
      });
      assert.deepEqual(
        conditions.map(({ type, message }) => [type, message]),
        [
          ["NamespaceContentRemaining", "Some resources are remaining: configmaps. has 1 resource instances"],
          [
            "NamespaceFinalizersRemaining",
            "Some content in the namespace has finalizers remaining: test.reveille.dev/hold in 1 resource instances",
          ],
        ],
      );
      assert.equal(await client.get(Secret, at("plain", "ending")), undefined);
      assert.equal(await client.get(Toy, at("toy", "ending")), undefined);
      await release(ConfigMap, "held", "ending");
      await gone(Namespace, "ending");
    });

    test("what happened while they were away is made up for; at rest they only watch", async () => {
      const owner = await make(ConfigMap, "away-owner");
      await make(ConfigMap, "away-child", { owners: [ref(owner)] });
      await controllers.stop();
      await client.delete(ConfigMap, at("away-owner"), { uid: owner.metadata.uid });
      controllers = await startControllers({ client });
      await gone(ConfigMap, "away-child");
      await controllers.idle();
      const { watch: _, ...sent } = client.requests;
      await make(ConfigMap, "away-unrelated");
      await controllers.idle();
      const { watch: __, ...later } = client.requests;
      assert.deepEqual(later, { ...sent, create: (sent.create ?? 0) + 1 });
    });
  });

const toyDefinition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "toys.test.reveille.dev" },
  spec: {
    group: "test.reveille.dev",
    scope: "Namespaced",
    names: { kind: "Toy", plural: "toys", singular: "toy", listKind: "ToyList" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
