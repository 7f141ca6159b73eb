import type { Deployment, Job, Pod, ReplicaSet } from "../../infra/simulator/objects.ts";
import type { KubeClient } from "../../shared/kube/client.ts";

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
