import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { assertAtRest } from "../../../infra/testing/system/at-rest.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Deployment } from "../../../shared/kube/kinds/index.ts";
import { Platform, sonataflow } from "../index.ts";
import { OPERATOR_ID } from "../kinds/annotations.ts";
import * as they from "./people.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

const PREDECESSOR = { fieldManager: "manager" };
const SELECTOR = { "sonataflow.org/service": "team-jobs-service" };

/** The hand-over: what the operator before wrote becomes ours; nothing is left that nobody wants, and nothing is fought over. */
export function handoverSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`SonataFlow's hand-over on the ${api} API`, { skip: skip !== false }, () => {
    test("objects and statuses of the predecessor are taken over", { timeout: 120_000 }, async (t) => {
      const cluster = await startStackCluster(api);
      t.onTestFinished(() => cluster.stack.stop());
      await takesOver(cluster);
    });
  });
}

/** The objects that the operator before made, in an empty cluster, and what becomes of them. */
export async function takesOver(cluster: StackCluster): Promise<void> {
  const { client } = cluster.stack;
  const platforms = resourceOf(Platform);
  const spec = { services: { jobService: {} } };
  // Another operator's, as long as it has an id that is not ours.
  await cluster.put(Platform, { ...they.TEAM, annotations: { [OPERATOR_ID]: "before" } }, { spec });
  const live = (await client.get(platforms, they.TEAM)) ?? assert.fail();
  const condition = { type: "Succeed", status: "True", lastUpdateTime: "2024-01-01T00:00:00Z" };
  const status = { version: "0.8", info: { goOS: "linux", goVersion: "1.22" }, conditions: [condition] };
  await client.replace(platforms, they.TEAM, { ...live, status }, { ...PREDECESSOR, subresource: "status" });
  await client.create(resourceOf(Deployment), deploymentOf(live.metadata.uid ?? ""), PREDECESSOR);
  await cluster.settled();
  assert.deepEqual((await cluster.get(Platform, they.TEAM))?.status?.info, status.info);

  await cluster.put(Platform, { ...they.TEAM, annotations: {} }, { spec });
  await cluster.settled();
  const platform = await cluster.get(Platform, they.TEAM);
  assert.deepEqual(platform?.status?.info, { engine: "reveille" });
  const said = platform?.status?.conditions?.map(({ type, status: holds }) => `${type}=${holds}`);
  assert.deepEqual(said, ["JobsServiceSucceed=True", "Succeed=True"]);
  const { env, image } = await they.containerOf(cluster, "team-jobs-service", "team-a", "jobs-service");
  assert.equal(env, undefined);
  assert.match(String(image), /jobs-service-ephemeral:main$/);
  await assertAtRest(cluster, { system: sonataflow });
}

const deploymentOf = (uid: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "team-jobs-service",
    namespace: "team-a",
    labels: { app: "team", legacy: "yes" },
    ownerReferences: [
      {
        apiVersion: "sonataflow.org/v1alpha08",
        kind: "SonataFlowPlatform",
        name: "team",
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: {
    replicas: 1,
    selector: { matchLabels: SELECTOR },
    template: {
      metadata: { labels: { app: "team", ...SELECTOR } },
      spec: {
        containers: [
          {
            name: "jobs-service",
            image: "before/jobs-service:1",
            env: [{ name: "QUARKUS_HTTP_CORS", value: "true" }],
          },
        ],
      },
    },
  },
});
