import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, describe, it } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { mortalClient } from "../../../infra/testing/mortal-client.ts";
import { ensureNamespace } from "../../../infra/testing/system/index.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { defineSystem } from "../../../shared/function/index.ts";
import { configuredHooks } from "../../../shared/host/configuration.ts";
import { questionIngress } from "../../../shared/host/http/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { silent } from "../../../shared/log/log.ts";
import { configuration } from "../configuration.ts";
import { afterClusterUpgrade, afterControlPlaneInitialized, beforeClusterUpgrade } from "../hooks.ts";
import { Cluster, ClusterAddon, ClusterStackRelease } from "../kinds/index.ts";
import { installForeign } from "./kinds.ts";

type Tree = Readonly<Record<string, unknown>>;
const TEAM = "team-a";
const USER = { fieldManager: "user" } as const;
const [OLD, NEW] = ["docker-ferrol-1-27-v1", "docker-ferrol-1-27-v2"] as const;
const VERSION = "v1.27.7";
const PATH = "/hooks.runtime.cluster.x-k8s.io/v1alpha1";

/** `before-cluster-upgrade` */
const handlerOf = (hook: string): string => hook.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();

/** A Cluster as Cluster API sends it along. */
export const clusterOf = (name: string, clusterClass: string, version = VERSION): Tree => ({
  apiVersion: "cluster.x-k8s.io/v1beta1",
  kind: "Cluster",
  metadata: { name, namespace: TEAM },
  spec: { topology: { class: clusterClass, version } },
});

/** Asks a host by HTTP, as Cluster API does. */
export function asking(client: KubeClient, settings: Tree = {}) {
  const system = defineSystem({
    name: "cluster-stacks",
    config: configuration,
    functions: [],
    hooks: [afterControlPlaneInitialized, beforeClusterUpgrade, afterClusterUpgrade],
  });
  const handler = questionIngress({
    hooks: configuredHooks([system], { "cluster-stacks": settings }),
    client,
    clock: systemClock,
    log: silent,
  });
  return async (hook: string, cluster: Tree, more: Tree = {}): Promise<Tree> => {
    const path = `${hook.toLowerCase()}/${handlerOf(hook)}`;
    const answer = await handler(
      new Request(`https://serve${PATH}/${path}?timeout=10s`, {
        method: "POST",
        body: JSON.stringify({ apiVersion: PATH.slice(1), kind: `${hook}Request`, cluster, ...more }),
        headers: { "content-type": "application/json" },
      }),
    );
    const { apiVersion: _, kind: __, ...said } = (await answer.json()) as Tree;
    return said;
  };
}
const BEFORE = "BeforeClusterUpgrade";
const AFTER = "AfterClusterUpgrade";
const GO = { status: "Success" };

/** The hooks of Cluster API beside stored objects. 29. */
export function hooks(which: "local" | "real"): void {
  const skip = which === "real" ? skipWithoutControlPlane() : false;
  describe(`hooks of Cluster API on the ${which} API`, { skip: skip !== false }, () => {
    let api: TestApi;
    const names = ["demo", "elsewhere"];
    beforeAll(async () => {
      api = await startTestApi({ api: which, controllers: false });
      await installKinds(api.client, [ClusterAddon, ClusterStackRelease]);
      await installForeign(api.client, Cluster);
      await ensureNamespace(api.client, TEAM);
    });
    afterAll(() => api?.stop());
    const put = async (kind: Kind, name: string, body: Tree, status?: Tree): Promise<void> => {
      const at = { name, namespace: TEAM };
      const apiVersion = kind === Cluster ? "cluster.x-k8s.io/v1beta1" : `${kind.group}/${kind.version}`;
      const there = await api.client.get(resourceOf(kind), at);
      if (there === undefined)
        await api.client.create(
          resourceOf(kind),
          { apiVersion, kind: kind.kind, metadata: at, ...body },
          USER,
        );
      else await api.client.patch(resourceOf(kind), at, "merge", body, USER);
      if (status !== undefined)
        await api.client.patch(resourceOf(kind), at, "merge", { status }, { ...USER, subresource: "status" });
    };
    const addon = async (name = "demo") => {
      const found = await api.client.get(resourceOf(ClusterAddon), {
        name: `cluster-addon-${name}`,
        namespace: TEAM,
      });
      assert.ok(found !== undefined);
      const { hook } = found.spec as { readonly hook?: string };
      return {
        hook,
        asked: found.metadata.annotations?.["reveille.dev/hook-asked"],
        version: found.metadata.resourceVersion,
      };
    };
    const installed = (
      clusterStack: string,
      phase: string,
      hook: string,
      target = clusterStack,
    ): Promise<void> =>
      put(
        ClusterAddon,
        "cluster-addon-demo",
        { spec: { clusterRef: { kind: "Cluster", name: "demo" }, clusterStack } },
        {
          target: {
            clusterStack: target,
            namespace: TEAM,
            digest: "d",
            version: "v1",
            kubernetesVersion: VERSION,
            hook,
          },
          stages: [{ name: "cni", action: "apply", phase }],
        },
      );
    beforeEach(async () => {
      for (const name of names)
        await api.client.delete(
          resourceOf(ClusterAddon),
          { name: `cluster-addon-${name}`, namespace: TEAM },
          { uid: undefined },
        );
      await put(ClusterStackRelease, NEW, {});
      await put(Cluster, "demo", { spec: { topology: { class: NEW, version: VERSION } } });
    });

    it("ask once whatever number asks at once, and let go once it is done", async () => {
      await installed(OLD, "done", "AfterControlPlaneInitialized");
      const [one, other] = [asking(api.newClient()), asking(api.newClient())];
      const more = { fromKubernetesVersion: "v1.27.3", toKubernetesVersion: VERSION };
      const cluster = clusterOf("demo", NEW);
      const answers = await Promise.all(
        [one, other, one, other, one].map((ask) => ask(BEFORE, cluster, more)),
      );
      for (const answer of answers)
        assert.partialDeepStrictEqual(answer, { status: "Success", retryAfterSeconds: 10 });
      const { version, ...stored } = await addon();
      assert.deepEqual(stored, {
        hook: "BeforeClusterUpgrade",
        asked: `BeforeClusterUpgrade ${NEW} ${VERSION}`,
      });
      await one(BEFORE, cluster, more);
      assert.equal((await addon()).version, version);
      await installed(NEW, "done", "BeforeClusterUpgrade");
      const { version: atRest } = await addon();
      assert.deepEqual(await one(BEFORE, cluster, more), GO);
      assert.match(
        String((await one(BEFORE, clusterOf("demo", OLD), more)).message),
        /names the class .*-v2 now/,
      );
      assert.equal((await addon()).version, atRest);
    });

    it("say how far it is", async () => {
      await installed(OLD, "waitingForPostCondition", "BeforeClusterUpgrade", NEW);
      const { message } = await asking(api.client)(BEFORE, clusterOf("demo", NEW));
      assert.match(String(message), /stage cni: waitingForPostCondition/);
    });

    it("whose host dies after the write are made good by the next", async () => {
      await installed(OLD, "done", "AfterControlPlaneInitialized");
      const mortal = mortalClient(api.newClient(), 1, () => undefined);
      const answer = await asking(mortal.client)(BEFORE, clusterOf("demo", NEW));
      assert.partialDeepStrictEqual(answer, { status: "Success", retryAfterSeconds: 10 });
      const { version, asked } = await addon();
      assert.equal(asked, `BeforeClusterUpgrade ${NEW}`);
      await asking(api.client)(BEFORE, clusterOf("demo", NEW));
      assert.equal((await addon()).version, version);
    });

    it("do not hold up whom no stack concerns", async () => {
      const ask = asking(api.client);
      assert.deepEqual(await ask(BEFORE, clusterOf("nobody", NEW)), GO);
      await put(Cluster, "elsewhere", { spec: { topology: { class: "quick-start", version: VERSION } } });
      assert.deepEqual(await ask(BEFORE, clusterOf("elsewhere", "quick-start")), GO);
      assert.partialDeepStrictEqual(await ask(BEFORE, clusterOf("demo", NEW)), { retryAfterSeconds: 10 });
    });

    it("store what comes after an upgrade once, and hold nobody", async () => {
      await installed(NEW, "done", "BeforeClusterUpgrade");
      const ask = asking(api.client);
      const cluster = clusterOf("demo", NEW);
      assert.deepEqual(await ask(AFTER, cluster, { kubernetesVersion: VERSION }), GO);
      assert.partialDeepStrictEqual(await addon(), {
        hook: "AfterClusterUpgrade",
        asked: `AfterClusterUpgrade ${NEW} ${VERSION}`,
      });
      assert.deepEqual(await ask(BEFORE, cluster), GO);
      await installed(NEW, "done", "AfterClusterUpgrade");
      const { version } = await addon();
      assert.deepEqual(await ask(AFTER, cluster, { kubernetesVersion: VERSION }), GO);
      assert.equal((await addon()).version, version);
      assert.deepEqual(await ask("AfterControlPlaneInitialized", cluster), GO);
    });
  });
}
