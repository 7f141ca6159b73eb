import type { ApiObject } from "../resource-type.ts";
import { firstRoles } from "./first-roles.ts";

const priorityClass = (name: string, value: number, description: string): ApiObject => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name, generation: 1 },
  value,
  description,
  preemptionPolicy: "PreemptLowerPriority",
});

/** The Service by which pods find the API server. The address leads nowhere, like all addresses here. */
const apiService = (port: number): ApiObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  },
  spec: {
    clusterIP: "10.0.0.1",
    clusterIPs: ["10.0.0.1"],
    internalTrafficPolicy: "Cluster",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
    sessionAffinity: "None",
    type: "ClusterIP",
  },
  status: { loadBalancer: {} },
});

/** The objects that an API server makes by itself, beside its namespaces. `port`: where it listens. */
export const firstObjects = (port: number): readonly ApiObject[] => [
  ...firstRoles,
  priorityClass(
    "system-cluster-critical",
    2_000_000_000,
    "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  ),
  priorityClass(
    "system-node-critical",
    2_000_001_000,
    "Used for system critical pods that must not be moved from their current node.",
  ),
  apiService(port),
];
