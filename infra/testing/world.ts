import type { KubeClient, Resource } from "../../shared/kube/client.ts";

const SERVER_FIELDS = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "generation",
  "deletionTimestamp",
]);
const TIMES =
  /^(last(Transition|Update|Probe|Heartbeat)Time|firstTimestamp|lastTimestamp|eventTime|startTime|completionTime|startedAt|finishedAt)$/;
/** Names by which the server or a simulator picks its own values; two runs of one scenario differ in them. */
const OWN_VALUES = new Set([
  "clusterIP",
  "clusterIPs",
  "observedGeneration",
  "deployment.kubernetes.io/revision",
]);
/** An annotation of a pod template that tells when it was rolled out anew. */
const RESTARTED = /\/restartedAt$/;

/** The part in which two worlds must agree: everything but what the server makes up. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  // A ReplicaSet's name holds a hash of its pod template, and that the time of a roll-out.
  if (typeof value === "string") return value.replace(/ReplicaSet "[^"]*"/g, "its ReplicaSet");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isMadeUp(name))
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, inner]) => [name, essence(inner)]),
  );
}

const isMadeUp = (name: string): boolean =>
  SERVER_FIELDS.has(name) || TIMES.test(name) || OWN_VALUES.has(name) || RESTARTED.test(name);

/** The objects of these kinds, by kind and place, without what the server makes up. Compare with deepEqual. */
export async function worldOf(
  client: KubeClient,
  resources: readonly Resource[],
): Promise<Readonly<Record<string, unknown>>> {
  const world: Record<string, unknown> = {};
  for (const resource of resources) {
    for await (const { items } of client.pages(resource)) {
      for (const item of items)
        world[`${resource.kind} ${item.metadata.namespace ?? ""}/${item.metadata.name}`] = essence(item);
    }
  }
  return world;
}

/** `<kind> <namespace>/<name>` → resourceVersion: two equal answers mean that nothing wrote in between. */
export async function versionsOf(
  client: KubeClient,
  resources: readonly Resource[],
): Promise<Readonly<Record<string, string>>> {
  const versions: Record<string, string> = {};
  for (const resource of resources) {
    for await (const { items } of client.pages(resource)) {
      for (const { metadata } of items)
        versions[`${resource.kind} ${metadata.namespace ?? ""}/${metadata.name}`] =
          metadata.resourceVersion ?? "";
    }
  }
  return versions;
}
