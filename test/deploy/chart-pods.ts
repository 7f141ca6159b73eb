import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../infra/control-plane/ports.ts";
import { routingOf } from "../../infra/engine/routing.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { type HostedStack, hostedStack } from "../../infra/testing/hosted-stack.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { clusterName } from "../../infra/watcher/index.ts";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import type { System } from "../../shared/function/system.ts";
import type { Resource } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { Secret } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { applyAll } from "./accounts.ts";
import { usesIn } from "./audit.ts";
import { render } from "./chart.ts";
import { type AskedAt, OBSERVER, type Pods, passwordOf, startPods } from "./pods.ts";

const NAMESPACE = "reveille";
/** The kinds whose pods a kubelet would run; here they are processes. */
const RUN_HERE = new Set(["Deployment", "StatefulSet", "PodDisruptionBudget", "NetworkPolicy"]);

/** The chart's objects in a real API server, its pods as processes, and a look at them from outside. */
export interface ChartPods {
  readonly pods: Pods;
  readonly stack: HostedStack;
  /** Throws where a pod asked the API server or the bus for what it may not. */
  assertAllowed(): void;
  stop(): Promise<void>;
}

export interface ChartPodsOptions {
  /** The chart's values. */
  readonly values?: object;
  readonly system: System;
  /** All kinds that its functions write. */
  readonly kinds: readonly Resource[];
  /** True where the API server asks `serve`; the values switch it on. */
  readonly asked?: boolean;
}

/** Installs the chart with passwords for its bus, and starts its pods. */
export async function startChartPods({
  values = {},
  system,
  kinds,
  asked = false,
}: ChartPodsOptions): Promise<ChartPods> {
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
    const reach = asked ? await reachable(api, folder) : undefined;
    const pods = await startPods(objects, api, NAMESPACE, reach);
    ends.push(() => pods.stop());
    const { stack, close } = await lookAt(api, pods.nats.url, system, kinds);
    ends.push(close);
    return { pods, stack, assertAllowed: () => assertAllowed(auditLog, pods), stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/**
 * Stands in for a cluster's network and kubelet where the API server asks: the Service `reveille-serve` leads to an address of this
 * machine (a Service's endpoints cannot be loopback), and the Secret becomes files.
 */
async function reachable({ client }: TestApi, folder: string): Promise<AskedAt> {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one !== undefined && !one.internal && one.family === "IPv4")?.address;
  assert.ok(address !== undefined, "this machine has an address besides loopback");
  const port = await freePort();
  await applyAll(client, [
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: {
        name: "reveille-serve-here",
        namespace: NAMESPACE,
        labels: { "kubernetes.io/service-name": "reveille-serve" },
      },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: "admission", port, protocol: "TCP" }],
    } as KubeObject,
  ]);
  const certificates = join(folder, "webhooks");
  mkdirSync(certificates);
  const mount = async (): Promise<void> => {
    const data = await eventually(
      "the watcher to make a certificate",
      async () =>
        (await client.get(resourceOf(Secret), { namespace: NAMESPACE, name: "reveille-webhooks" }))?.data as
          | Readonly<Record<string, string>>
          | undefined,
    );
    for (const [name, text] of Object.entries(data))
      writeFileSync(join(certificates, name), Buffer.from(text, "base64"));
  };
  return { listen: `${address}:${port}`, certificates, mount };
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
