import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ClusterPlatform, Platform, sonataflow, Workflow } from "../../functions/sonataflow/index.ts";
import { routingOf } from "../../infra/engine/routing.ts";
import { type UserCluster, userCluster } from "../../infra/testing/system/user-cluster.ts";
import type { TestApi } from "../../infra/testing/test-api.ts";
import { versionsOf } from "../../infra/testing/world.ts";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Service } from "../../shared/kube/kinds/index.ts";
import { OBSERVER, passwordOf } from "./pods.ts";

const KINDS = [ClusterPlatform, Platform, Workflow, ConfigMap, Deployment, Service].map(resourceOf);
/** How long nothing may happen before all counts as done: several processes hear of a change one after another. */
const QUIET_MILLISECONDS = 600;
const LOOK_MILLISECONDS = 60;
const LIMIT_MILLISECONDS = 90_000;

export interface PodsCluster extends UserCluster {
  /** Versions of all that functions write. */
  versions(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** A cluster whose functions run in processes of their own: that they are done is seen on the bus and in the API server alone. */
export async function podsCluster(api: TestApi, natsUrl: string): Promise<PodsCluster> {
  const { queues, names, route, types } = routingOf([sonataflow]);
  const bus = await openNatsBus({
    nats: natsOptions.parse({
      servers: [natsUrl],
      user: OBSERVER,
      password: passwordOf(OBSERVER),
      setUp: false,
    }),
    functions: queues,
    route,
    types,
  });
  const versions = (): Promise<Readonly<Record<string, string>>> => versionsOf(api.client, KINDS);
  const settled = async (): Promise<void> => {
    const deadline = performance.now() + LIMIT_MILLISECONDS;
    let since = performance.now();
    for (let before = ""; ; ) {
      await api.idle();
      const counts = await bus.counts();
      const busy = Object.values(counts).some(
        ({ waiting, running, retrying }) => waiting + running + retrying > 0,
      );
      const now = JSON.stringify(await versions());
      if (busy || now !== before) since = performance.now();
      before = now;
      if (performance.now() - since >= QUIET_MILLISECONDS) return;
      if (performance.now() > deadline) throw new Error(`not settled: ${JSON.stringify(counts)}`);
      await pause(LOOK_MILLISECONDS);
    }
  };
  const again = async (): Promise<void> => {
    await bus.publish(
      names.map((name) => ({
        specversion: "1.0",
        id: randomUUID(),
        type: "command.reconcile",
        source: "/test",
        time: new Date().toISOString(),
        datacontenttype: "application/json",
        data: { function: name, askedBy: "test" },
      })),
    );
    await settled();
  };
  return { ...userCluster(api.client, sonataflow, { settled, again }), versions, close: () => bus.close() };
}
