import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { routingOf } from "../../infra/engine/routing.ts";
import { type HostedStack, hostedStack } from "../../infra/testing/hosted-stack.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { clusterName } from "../../infra/watcher/index.ts";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import type { System } from "../../shared/function/system.ts";
import type { Resource } from "../../shared/kube/client.ts";
import { applyAll } from "./accounts.ts";
import { usesIn } from "./audit.ts";
import { render } from "./chart.ts";
import { OBSERVER, type Pods, passwordOf, startPods } from "./pods.ts";

const NAMESPACE = "reveille";
/** What a real kubelet would run; here it is run as processes. */
const RUN_HERE = new Set(["Deployment", "StatefulSet", "PodDisruptionBudget", "NetworkPolicy"]);

/** What the chart brings into a real API server, its pods as processes, and a look at it from outside. */
export interface ChartPods {
  readonly pods: Pods;
  readonly stack: HostedStack;
  /** Throws where a pod asked the API server or the bus for what it may not. */
  assertAllowed(): void;
  stop(): Promise<void>;
}

export interface ChartPodsOptions {
  /** Of the chart. */
  readonly values?: object;
  readonly system: System;
  /** All kinds that its functions write. */
  readonly kinds: readonly Resource[];
}

/** Installs the chart with passwords for its bus, and starts its pods. */
export async function startChartPods({ values = {}, system, kinds }: ChartPodsOptions): Promise<ChartPods> {
  const ends: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "reveille-pods-audit-"));
    ends.push(() => rmSync(folder, { recursive: true }));
    const auditLog = join(folder, "audit.log");
    const api = await startTestApi({
      api: "real",
      auditLog,
      admissionPlugins: ["OwnerReferencesPermissionEnforcement"],
    });
    ends.push(() => api.stop());
    const objects = render({ "bus.auth": { method: "password", secretName: "bus" }, ...values });
    await applyAll(api.client, [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
      ...objects.filter(({ kind }) => !RUN_HERE.has(kind)),
    ]);
    const pods = await startPods(objects, api, NAMESPACE);
    ends.push(() => pods.stop());
    const { stack, close } = await lookAt(api, pods.nats.url, system, kinds);
    ends.push(close);
    return { pods, stack, assertAllowed: () => assertAllowed(auditLog, pods), stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function lookAt(
  api: TestApi,
  natsUrl: string,
  system: System,
  kinds: readonly Resource[],
): Promise<{ readonly stack: HostedStack; readonly close: () => Promise<void> }> {
  const routing = routingOf([system]);
  const bus = await openNatsBus({
    nats: natsOptions.parse({
      servers: [natsUrl],
      user: OBSERVER,
      password: passwordOf(OBSERVER),
      setUp: false,
    }),
    functions: routing.queues,
    route: routing.route,
    types: routing.types,
  });
  const cluster = await clusterName(api.client, "onlooker");
  return { stack: hostedStack({ api, cluster, bus, routing, kinds }), close: () => bus.close() };
}

function assertAllowed(auditLog: string, { all }: Pods): void {
  const refused = usesIn(auditLog).filter(({ allowed }) => !allowed);
  assert.deepEqual(
    refused.map(({ account, verb, resource }) => `${account}: ${verb} ${resource}`),
    [],
  );
  // A worker asks once for what only others may: to make streams that are not there yet, and to count all functions' work.
  const denied =
    /permissions violation (?!for publish to \\"\$JS\.API\.(STREAM\.CREATE|CONSUMER\.INFO|DIRECT\.GET|STREAM\.INFO))/i;
  for (const pod of all) assert.doesNotMatch(pod.log(), denied, pod.name);
}
