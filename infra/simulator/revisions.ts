import type { Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { controllerOf, type StatefulSet, uidOf } from "./objects.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { controllerReference } from "./template.ts";

const RESOURCE: Resource = {
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  plural: "controllerrevisions",
  scope: "Namespaced",
};
const USUAL_HISTORY = 10;

/** Keeps the template of a StatefulSet under the name of its revision, as the newest, and forgets the oldest ones. */
export async function keepRevision(cluster: SimulatedCluster, set: StatefulSet, name: string): Promise<void> {
  const { currentRevision, updateRevision } = set.status ?? {};
  // What the status names has been kept before.
  if (updateRevision === name) return;
  const kept = (await cluster.list(RESOURCE, set.metadata.namespace))
    .filter((one) => controllerOf(one)?.uid === uidOf(set))
    .sort((a, b) => numberOf(a) - numberOf(b));
  const found = kept.find(({ metadata }) => metadata.name === name);
  const last = kept.at(-1);
  const next = last === undefined ? 1 : numberOf(last) + 1;
  if (found === undefined) await cluster.ensure(RESOURCE, revisionOf(set, name, next));
  // Who goes back to a template makes it the newest again.
  else if (found !== last) await cluster.change(RESOURCE, found, { revision: next });
  const live = [name, currentRevision, updateRevision];
  const old = kept.filter(({ metadata }) => !live.includes(metadata.name));
  const most = set.spec.revisionHistoryLimit ?? USUAL_HISTORY;
  for (const one of old.slice(0, Math.max(0, old.length - most))) await cluster.remove(RESOURCE, one);
}

const numberOf = ({ revision }: KubeObject): number => (typeof revision === "number" ? revision : 0);

const revisionOf = (set: StatefulSet, name: string, revision: number): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "ControllerRevision",
  metadata: {
    name,
    namespace: set.metadata.namespace,
    ...(set.metadata.annotations === undefined ? {} : { annotations: set.metadata.annotations }),
    labels: {
      ...set.spec.template.metadata?.labels,
      "controller.kubernetes.io/hash": name.slice(set.metadata.name.length + 1),
    },
    ownerReferences: [controllerReference(set)],
  },
  // A strategic merge patch: `kubectl rollout undo` sends it.
  data: { spec: { template: { ...set.spec.template, $patch: "replace" } } },
  revision,
});
