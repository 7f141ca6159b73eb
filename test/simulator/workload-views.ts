import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type Deployment,
  type Job,
  type ObjectOf,
  type Pod,
  RESOURCES,
  type ReplicaSet,
  type SimulatedKind,
} from "../../infra/simulator/objects.ts";
import type { SimulatorOptions } from "../../infra/simulator/start.ts";
import type { ApiServerKind } from "../../infra/testing/api-servers.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

/** Where the workloads run, and who plays their controllers. */
export interface World {
  readonly name: string;
  readonly server: ApiServerKind;
  /** Deployments, Jobs and the rest are the real controllers', not the simulator's. */
  readonly controllerManager: boolean;
  readonly only: SimulatorOptions["only"];
}

const run = promisify(execFile);
/** Comes with the other real parts; what it says is not asked where they are missing. */
const kubectl =
  skipWithoutControlPlane() === false ? join(process.env.KUBEBUILDER_ASSETS ?? "", "kubectl") : undefined;

/** False where there is no kubectl, and `assertKubectlSays` does nothing. */
export const hasKubectl = kubectl !== undefined;

/** Not the synchronous way, which would stop the simulator too. */
export async function assertKubectlSays(
  kubeconfig: string,
  words: readonly string[],
  what: RegExp,
): Promise<void> {
  if (kubectl === undefined) return;
  const { stdout } = await run(kubectl, ["--kubeconfig", kubeconfig, ...words], { timeout: 20_000 });
  assert.match(stdout, what);
}

/** Makes a workload as a person would. */
export function create<K extends SimulatedKind>(
  client: KubeClient,
  kind: K,
  body: { readonly metadata: KubeObject["metadata"]; readonly spec: object },
): Promise<ObjectOf<K>> {
  const { group, version } = RESOURCES[kind];
  const apiVersion = group ? `${group}/${version}` : version;
  return client.create(RESOURCES[kind], { apiVersion, kind, ...body }, { fieldManager: "test" }) as Promise<
    ObjectOf<K>
  >;
}

export const serviceAccounts = {
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  plural: "serviceaccounts",
  scope: "Namespaced",
} as const;

export const deploymentSpec = (app: string, spec: object = {}, annotations: Record<string, string> = {}) => ({
  selector: { matchLabels: { app } },
  template: {
    metadata: { labels: { app }, annotations },
    spec: { containers: [{ name: "main", image: "example.org/app:1" }] },
  },
  ...spec,
});
export const jobSpec = (spec: object) => ({
  template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "example.org/app:1" }] } },
  ...spec,
});

export const condition = (object: Deployment | Job | Pod, type: string) =>
  (
    object.status?.conditions as
      | readonly { type: string; status: string; reason?: string; message?: string }[]
      | undefined
  )?.find((one) => one.type === type);
export const said = (object: Deployment) =>
  (object.status?.conditions ?? [])
    .map(({ type, status, reason, message }) => [type, status, reason, message])
    .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
export const rolledOut = ({ spec, status, metadata }: Deployment): boolean => {
  const wanted = spec.replicas ?? 1;
  return (
    status?.observedGeneration === metadata.generation &&
    (status?.updatedReplicas ?? 0) === wanted &&
    (status?.replicas ?? 0) === wanted &&
    (status?.availableReplicas ?? 0) === wanted
  );
};
export const stateOf = (pod: Pod) => [pod.status?.phase, condition(pod, "Ready")?.status === "True"] as const;
export const waiting = (pod: Pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.reason;
export const withoutZeroes = (counts: ReplicaSet["status"] | object) =>
  Object.fromEntries(
    Object.entries(counts ?? {}).filter(
      ([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0),
    ),
  );
export const writes = ({ requests }: KubeClient): number =>
  ["apply", "create", "patch", "replace", "delete", "raw"].reduce(
    (sum, verb) => sum + (requests[verb] ?? 0),
    0,
  );
