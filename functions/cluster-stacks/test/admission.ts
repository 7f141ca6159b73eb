import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { admissionsOf } from "../../../infra/testing/system/index.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { WEBHOOK_REGISTRATIONS } from "../../../infra/testing/webhook-registrations.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import { clusterStacks } from "../index.ts";
import { Cluster, ClusterAddon, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";
import { FOREIGN, installForeign } from "./kinds.ts";

const USER = { fieldManager: "user" } as const;
const NAMESPACE = "default";
/** The configuration in which upstream registers its webhooks. */
const UPSTREAMS = "cso-validating-webhook-configuration";
const SPEC = { provider: "docker", name: "ferrol", kubernetesVersion: "1.27", noProvider: true } as const;
type Tree = Readonly<Record<string, unknown>>;

/** The admissions of cluster stacks, asked by an API server over TLS; no function runs. */
export function admissions(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane() : false;
  describe(`admission of cluster stacks on the ${kind} API server`, { skip: skip !== false }, () => {
    let api: TestApi;
    let asked: Awaited<ReturnType<typeof admissionsOf>>;
    const at = (name: string) => ({ name, namespace: NAMESPACE });
    const versionOf = (of: Kind): string => (of === Cluster ? "v1beta1" : of.version);
    const make = (of: Kind, name: string, fields: Tree): Promise<KubeObject> =>
      api.client.create(
        resourceOf(of),
        {
          ...fields,
          apiVersion: apiVersionOf({ group: of.group, version: versionOf(of) }),
          kind: of.kind,
          metadata: at(name),
        },
        USER,
      );
    const edit = (of: Kind, name: string, spec: Tree): Promise<KubeObject> =>
      api.client.patch(resourceOf(of), at(name), "merge", { spec }, USER);
    const remove = (of: Kind, name: string) =>
      api.client.delete(resourceOf(of), at(name), { uid: undefined });
    const refused = async (write: Promise<unknown>): Promise<string> => {
      const thrown = await write.then(
        () => assert.fail("it was taken"),
        (error: unknown) => error,
      );
      assert.ok(thrown instanceof KubeError, String(thrown));
      return thrown.message;
    };
    const cluster = (name: string, className: string, version?: string): Promise<KubeObject> =>
      make(Cluster, name, {
        spec: { topology: { class: className, ...(version !== undefined && { version }) } },
      });
    const release = async (name: string, kubernetesVersion: string): Promise<void> => {
      await make(ClusterStackRelease, name, { spec: {} });
      const status = { ready: true, kubernetesVersion };
      await api.client.patch(
        resourceOf(ClusterStackRelease),
        at(name),
        "merge",
        { status },
        {
          ...USER,
          subresource: "status",
        },
      );
    };
    const upstreams = () => api.client.get(WEBHOOK_REGISTRATIONS, { name: UPSTREAMS });
    beforeAll(async () => {
      api = await startTestApi({ api: kind, controllers: false });
      await api.client.create(
        WEBHOOK_REGISTRATIONS,
        {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: "ValidatingWebhookConfiguration",
          metadata: { name: UPSTREAMS, annotations: { "cert-manager.io/inject-ca-from": "cso-system/cso" } },
        },
        USER,
      );
      for (const foreign of FOREIGN) await installForeign(api.client, foreign);
      await installKinds(api.client, [ClusterStack, ClusterStackRelease, ClusterAddon]);
      asked = await admissionsOf({ api }, clusterStacks);
      await eventually("the server to ask", async () => {
        const probe = make(ClusterStack, "probe", { spec: { ...SPEC, versions: ["none"] } });
        return probe.then(
          async () => {
            await remove(ClusterStack, "probe");
            return false;
          },
          (error: unknown) => error instanceof KubeError && /denied the request/.test(error.message),
        );
      });
      await release("docker-ferrol-1-27-v1", "v1.27.3");
      await release("docker-ferrol-1-28-v1", "v1.28.1");
      await release("docker-ferrol-1-29-v1", "v1.29.0");
    });
    afterAll(async () => {
      await asked.stop();
      await api.stop();
    });

    // Whoever installs Reveille may not own it, cert-manager writes into it, and its Cluster webhook would go on failing.
    test("what the cluster-stack-operator registered is nobody else's", async () => {
      const managers = (await upstreams())?.metadata.managedFields?.map(({ manager }) => manager);
      assert.deepEqual(managers, [USER.fieldManager]);
    });

    test("a stack is judged when it is made, and when it is changed", async () => {
      assert.match(
        await refused(make(ClusterStack, "a", { spec: { ...SPEC, versions: ["v1", "v1", "v2-x.1"] } })),
        /spec\.versions: v1 is there twice; spec\.versions: v2-x\.1 is not of the channel stable/,
      );
      assert.match(
        await refused(make(ClusterStack, "a", { spec: { ...SPEC, noProvider: false } })),
        /providerRef is missing/,
      );
      await make(ClusterStack, "a", { spec: SPEC });
      assert.match(
        await refused(edit(ClusterStack, "a", { versions: ["nonsense"] })),
        /nonsense is no version/,
      );
      assert.match(await refused(edit(ClusterStack, "a", { provider: "other" })), /immutable/);
      await edit(ClusterStack, "a", { versions: ["v1"], autoSubscribe: false });
      await remove(ClusterStack, "a");
    });

    test("scenario 18: stack and release are not deleted while a Cluster uses their class, which is named", async () => {
      await make(ClusterStack, "b", { spec: { ...SPEC, channel: "custom" } });
      await make(ClusterStackRelease, "docker-ferrol-1-27-v0-sha-aaa", { spec: {} });
      await cluster("user", "docker-ferrol-1-27-v0-sha.aaa");
      await cluster("other", "quick-start");
      for (const [of, name] of [
        [ClusterStack, "b"],
        [ClusterStackRelease, "docker-ferrol-1-27-v0-sha-aaa"],
      ] as const)
        assert.match(await refused(remove(of, name)), /in use by Cluster default\/user: /);
      await remove(Cluster, "user");
      await remove(ClusterStackRelease, "docker-ferrol-1-27-v0-sha-aaa");
      await remove(ClusterStack, "b");
    });

    test("a stack that is another's but for its channel is deleted while Clusters use the other", async () => {
      await make(ClusterStack, "production", { spec: { ...SPEC, versions: ["v1"] } });
      await make(ClusterStack, "trial", { spec: { ...SPEC, channel: "custom" } });
      await cluster("user", "docker-ferrol-1-27-v1");
      await remove(ClusterStack, "trial");
      assert.match(await refused(remove(ClusterStack, "production")), /in use by Cluster default\/user/);
      await remove(Cluster, "user");
      await remove(ClusterStack, "production");
    });

    test("a stack that was stored with faults can be labelled, and can end", async () => {
      await asked.stop();
      await make(ClusterStack, "old", { spec: { ...SPEC, versions: ["nonsense"] } });
      asked = await admissionsOf({ api }, clusterStacks);
      const meta = (metadata: Tree) =>
        api.client.patch(resourceOf(ClusterStack), at("old"), "merge", { metadata }, USER);
      await meta({ labels: { team: "a" }, finalizers: ["example.org/wait"] });
      assert.match(await refused(edit(ClusterStack, "old", { versions: ["worse"] })), /worse is no version/);
      await remove(ClusterStack, "old");
      await meta({ finalizers: null });
      assert.equal(await api.client.get(resourceOf(ClusterStack), at("old")), undefined);
    });

    test("addons are of a Cluster beside them, and stay with it", async () => {
      const spec = (clusterRef: Tree): Tree => ({ spec: { clusterRef } });
      const [mine, other] = [
        { kind: "Cluster", name: "demo" },
        { kind: "Cluster", name: "other" },
      ];
      assert.match(
        await refused(make(ClusterAddon, "machine", spec({ kind: "Machine", name: "x" }))),
        /it is not Cluster/,
      );
      assert.match(
        await refused(make(ClusterAddon, "far", spec({ ...mine, namespace: "far" }))),
        /beside their Cluster/,
      );
      await make(ClusterAddon, "mine", spec(mine));
      assert.match(await refused(edit(ClusterAddon, "mine", { clusterRef: other })), /is not changed/);
      await edit(ClusterAddon, "mine", { clusterStack: "docker-ferrol-1-27-v1" });
    });
    test("scenario 38: a Cluster has the version of its class, and moves a step at a time", async () => {
      const [V27, V28, V29] = ["27", "28", "29"].map((minor) => `docker-ferrol-1-${minor}-v1`);
      assert.match(
        await refused(cluster("c", V27 ?? "", "v1.27.4")),
        /v1\.27\.4: docker-ferrol-1-27-v1 is for v1\.27\.3/,
      );
      const made = await cluster("c", V27 ?? "");
      assert.deepEqual(made.spec, { topology: { class: V27, version: "v1.27.3" } });
      const move = (className: string | undefined, version: string) =>
        edit(Cluster, "c", { topology: { class: className, version } });
      assert.match(await refused(move(V29, "v1.29.0")), /from 1\.27 to the next minor/);
      await move(V28, "v1.28.1");
      assert.match(await refused(move(V27, "v1.27.3")), /from 1\.28 to the next minor/);
      await release("openstack-ferrol-1-28-v1", "v1.28.1");
      assert.match(await refused(move("openstack-ferrol-1-28-v1", "v1.28.1")), /keeps the provider/);
      await make(Cluster, "foreign", { spec: { topology: { class: "quick-start", version: "v1.2.3" } } });
      await make(Cluster, "plain", { spec: { paused: true } });
      await cluster("early", "docker-ferrol-1-27-v77", "v1.27.9");
    });

    test("scenario 38: while nobody answers, Clusters are written all the same", async () => {
      await asked.stop();
      await cluster("d", "docker-ferrol-1-27-v1", "v1.27.4");
      asked = await admissionsOf({ api }, clusterStacks);
    });
  });
}
