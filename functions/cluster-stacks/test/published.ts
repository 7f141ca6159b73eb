import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Resource as ApiResource } from "../../../shared/kube/client.ts";
import { cluster, condition, ready } from "./addons.ts";
import { folder } from "./conformance.ts";
import { asking, clusterOf } from "./hooks.ts";
import { type Stage, startStage, tag } from "./stage.ts";

const ROLES = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  scope: "Cluster",
} as const satisfies ApiResource;

/** A release in stages. */
const STAGED = "v0-sha.hipstsw";

/** Releases as their authors publish them, and a workload cluster of its own: 22 to 25 with docker-ferrol-1-27. */
export function publishedAddons(workloads: "local" | "real"): void {
  const noServer = workloads === "real" ? skipWithoutControlPlane() : false;
  const skip = folder === undefined ? "CONFORMANCE_DATA is not set" : noServer;
  describe(`published addons in a workload cluster on the ${workloads} API`, { skip: skip !== false }, () => {
    let s: Stage;
    let there: RemoteCluster;
    beforeAll(async () => {
      s = await startStage({ api: "local", workloads });
      for (const version of ["v1", "v2", "v3", STAGED.replace(".", "-")]) {
        const release = join(folder ?? "", "releases", tag(version));
        const files = readdirSync(release).map((name) => [name, readFileSync(join(release, name))] as const);
        s.source.put(tag(version), Object.fromEntries(files));
      }
      await s.wants({ versions: ["v1", "v2", "v3"], autoSubscribe: false });
      await s.wants({ channel: "custom", versions: [STAGED], autoSubscribe: false }, "custom");
      there = await s.workload("demo");
    }, 120_000);
    afterAll(() => s.stop());

    const role = async (name: string) => (await there.client.get(ROLES, { name }))?.metadata;
    const recorded = async (): Promise<readonly string[]> =>
      ((await s.addon("demo"))?.status?.resources ?? []).map(
        ({ kind, name, status }) => `${kind} ${name} ${status}`,
      );

    test("are installed, upgraded by what differs, and left alone where they are the same", async () => {
      await cluster(s, "v1");
      await ready(s, "v1");
      const first = await recorded();
      assert.equal(first.length, 15);
      assert.deepEqual(
        first.filter((entry) => !entry.endsWith(" synced")),
        [],
      );
      const [kindnet, metrics] = [await role("kindnet"), await role("system:metrics-server")];
      await cluster(s, "v2");
      await ready(s, "v2");
      const second = await recorded();
      assert.equal(second.length, 14);
      assert.deepEqual(
        first.filter((entry) => !second.includes(entry)).map((entry) => entry.split(" ")[0]),
        ["Deployment"],
      );
      assert.equal((await role("kindnet"))?.resourceVersion, kindnet?.resourceVersion, "it is the same");
      const changed = await role("system:metrics-server");
      assert.notEqual(changed?.resourceVersion, metrics?.resourceVersion);
      assert.equal(changed?.labels?.clusterAddonVersion, "v2");
      s.asked();
      await cluster(s, "v3");
      await ready(s, "v3");
      assert.deepEqual(
        s.asked().filter(({ verb }) => verb !== "raw"),
        [],
      );
      assert.deepEqual(await recorded(), second);
    }, 60_000);

    test("in one stage are followed by addons in stages, when Cluster API asks, and come back", async () => {
      const single = await recorded();
      const ask = () =>
        asking(s.stack.client)("BeforeClusterUpgrade", clusterOf("demo", tag(STAGED), "v1.27.7"), {
          toKubernetesVersion: "v1.27.7",
        });
      await cluster(s, STAGED);
      assert.equal((await condition(s, "HookServerReady"))?.reason, "HookServerUnresponsive");
      assert.deepEqual(await recorded(), single, "nobody asked yet");
      assert.equal((await ask()).retryAfterSeconds, 10);
      await ready(s, STAGED);
      assert.equal((await ask()).retryAfterSeconds, undefined);
      // What the stages of an upgrade do not name goes when the last of them is done.
      assert.deepEqual(await recorded(), [
        "NetworkPolicy cluster-addon-ngnix synced",
        "ServiceAccount cluster-addon-ngnix synced",
        "Service cluster-addon-ngnix synced",
        "Deployment cluster-addon-ngnix synced",
      ]);
      await cluster(s, "v3");
      await ready(s, "v3");
      assert.deepEqual((await recorded()).toSorted(), single.toSorted());
    }, 60_000);
  });
}
