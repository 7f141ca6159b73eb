import { changed, each, on, released, type SlotPlace, unwatched } from "../../shared/function/index.ts";
import { ConfigMap, Namespace } from "../../shared/kube/kinds/index.ts";
import { payloads } from "../../shared/ports/payloads/index.ts";
import { configuration } from "./configuration.ts";
import { lookUpPayload } from "./decide/payload/catalog.ts";
import { CLUSTER_VERSION, isTheClusterVersion } from "./decide/release/the-cluster-version.ts";
import { isAskedFor } from "./decide/release/updates/release-origins.ts";
import { decide } from "./decide/sync/decide.ts";
import { failedStatus } from "./decide/sync/failed.ts";
import { observeWorld } from "./decide/sync/observe.ts";
import { SYNC_PARTS } from "./decide/sync/status.ts";
import {
  concernsGates,
  isSource,
  looksAtOnce,
  SETTINGS,
  SOURCES,
  settingsMeant,
  whereKnown,
} from "./decide/sync/wakes.ts";
import { WORK_RECORD } from "./decide/sync/work-record.ts";
import { ClusterOperator, ClusterVersion, FeatureGate, ProxyConfig } from "./kinds/index.ts";
import { PayloadObject } from "./kinds/payload-object.ts";

const WRITTEN_HERE = "it is made once, and nothing of it is read";
const IN_TURN = "payloads are looked through every few minutes, and whenever something is to be done";

/** Moves the cluster to a release, step by step behind the gates of its operators, and keeps it there (4.3 to 4.8, 4.10, 4.13). */
export const clusterVersion = each(ClusterVersion, { status: SYNC_PARTS }).function({
  name: "cluster-version",
  config: configuration,
  uses: [payloads],
  wakes: [
    changed(ClusterOperator).toEach<typeof ClusterVersion>(looksAtOnce, { when: concernsGates }),
    changed(ConfigMap).toName<typeof ClusterVersion>((said) =>
      isSource(said) ? { name: CLUSTER_VERSION } : undefined,
    ),
    // Another gate makes another payload, another proxy other workloads: at once, as far as these kinds are there.
    changed(FeatureGate).toName<typeof ClusterVersion>(settingsMeant),
    changed(ProxyConfig).toName<typeof ClusterVersion>(settingsMeant),
    // It may be there from now on, after its payload could not be had.
    on(released).toEach<typeof ClusterVersion>(isAskedFor),
  ],
  reads: [unwatched(PayloadObject, IN_TURN)],
  writes: [unwatched(PayloadObject, IN_TURN), unwatched(Namespace, WRITTEN_HERE), ClusterOperator, ConfigMap],
  verbs: {
    "payload-object": ["get", "list", "create", "update", "patch", "delete"],
    Namespace: ["get", "create"],
    ConfigMap: ["get", "list", "create", "patch"],
    ClusterOperator: ["get", "list", "create", "patch"],
    FeatureGate: ["get"],
    Proxy: ["get"],
  },
  adopts: {
    "payload-object": "what a payload names is the release's, whoever made it",
    ConfigMap: "the record of its work has a name of its own, and may come back from a backup",
  },
  observe: async ({ self, read, use, config }) => {
    if (!isTheClusterVersion(self)) return { world: { state: "not ours" } as const };
    const objects = {
      read: (at: SlotPlace) => read.object(PayloadObject, at),
      knows: async (what: Pick<SlotPlace, "apiVersion" | "kind">) =>
        (await read.knows(PayloadObject, what)) !== undefined,
    };
    const [operators, record, gates, acks, featureGate] = await Promise.all([
      read.list(ClusterOperator),
      read.get(ConfigMap, WORK_RECORD),
      read.get(ConfigMap, SOURCES.gates),
      read.get(ConfigMap, SOURCES.acks),
      whereKnown(() => read.get(FeatureGate, SETTINGS)),
    ]);
    return {
      record,
      world: await observeWorld({
        self,
        operators,
        record,
        adminGates: gates === undefined ? undefined : (gates.data ?? {}),
        adminAcks: acks?.data,
        featureGate,
        proxy: () => whereKnown(() => read.get(ProxyConfig, SETTINGS)),
        config,
        lookUp: (image, shape) => lookUpPayload(use(payloads), image, shape),
        ...objects,
      }),
    };
  },
  reconcile: ({ world, record }, context) => decide(world, record, context),
  failed: ({ self }, { message }, { now }) =>
    isTheClusterVersion(self) ? failedStatus(self, message, now) : undefined,
});
