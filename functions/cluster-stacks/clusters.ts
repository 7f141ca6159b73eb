import { changed, each, own, remove, unwatched } from "../../shared/function/index.ts";
import { configuration } from "./configuration.ts";
import { releaseWait, wantedClass } from "./decide/addon/index.ts";
import { filterLabels, isLeftOut, leftOut } from "./decide/filter/index.ts";
import { addonName, Cluster, ClusterAddon, ClusterStackRelease, isPaused } from "./kinds/index.ts";

/** One Cluster: it has a ClusterAddon as long as its class is of a stack (4.3). */
export const clusters = each(Cluster, { status: [] }).function({
  name: "cluster-stack-clusters",
  config: configuration,
  wakes: [changed(ClusterAddon).toOwner()],
  reads: [unwatched(ClusterStackRelease, "waited for where it is missing")],
  writes: [ClusterAddon],
  verbs: {
    Cluster: ["get", "list"],
    ClusterAddon: ["get", "create", "patch", "delete"],
    ClusterStackRelease: ["get"],
  },
  paused: isPaused,
  observe: async ({ self, read }) => {
    const { name, namespace } = self.metadata;
    const wanted = wantedClass(self);
    const [addon, release] = await Promise.all([
      read.get(ClusterAddon, { name: addonName(name), namespace }),
      wanted && read.get(ClusterStackRelease, { name: wanted.tag, namespace: wanted.namespace }),
    ]);
    return { wanted, addon, isThere: release !== undefined };
  },
  reconcile: ({ self, wanted, addon, isThere }, { config }) => {
    const { apiVersion, kind, metadata } = self;
    const { name, namespace } = metadata;
    if (metadata.deletionTimestamp !== undefined) return {};
    // A Cluster of another class is nobody's business here.
    if (isLeftOut(self, config)) return wanted === undefined ? {} : leftOut(self, config);
    if (wanted === undefined) {
      const isMine = addon?.metadata.ownerReferences.some(({ uid }) => uid === metadata.uid) === true;
      return { effects: isMine ? remove(ClusterAddon, addon) : [] };
    }
    // A release that went since leaves the addons to be finished.
    if (!isThere && addon === undefined) return { waitingFor: [releaseWait(wanted)] };
    return {
      // It does not block its Cluster's deletion, which it waits for.
      effects: own(
        self,
        ClusterAddon,
        {
          metadata: { name: addonName(name), labels: filterLabels(config) },
          spec: { clusterRef: { apiVersion, kind, name, namespace } },
        },
        { controller: false },
      ),
    };
  },
});
