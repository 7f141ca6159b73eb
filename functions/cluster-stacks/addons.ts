import { awaited, changed, each, unwatched } from "../../shared/function/index.ts";
import { Secret } from "../../shared/kube/kinds/index.ts";
import { configuration } from "./configuration.ts";
import { addonDeletion, addonPass, failedAddon, observeAddon } from "./decide/addon/index.ts";
import { isLeftOut, leftOut } from "./decide/filter/index.ts";
import { namespacedReleases } from "./decide/source/index.ts";
import {
  addonName,
  Cluster,
  ClusterAddon,
  ClusterObject,
  ClusterStackRelease,
  isPaused,
  PREDECESSOR_MANAGERS,
  SourceSecret,
  WorkloadObject,
  workloads,
} from "./kinds/index.ts";
import { charts } from "./ports/charts/index.ts";
import { releases } from "./ports/releases/index.ts";

/** The addons of one workload cluster: those of its Cluster's class, rendered once, recorded, applied, and nothing else (4.4). */
export const addons = each(ClusterAddon).function({
  name: "cluster-addons",
  config: configuration,
  uses: [releases, charts],
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    changed(Cluster).toName<typeof ClusterAddon>(({ name, namespace }) => ({
      name: addonName(name),
      namespace,
    })),
  ],
  reads: [
    unwatched(ClusterStackRelease, "waited for while its assets are missing"),
    awaited(SourceSecret, "followed while a source gives no release to its credentials"),
    awaited(ClusterObject, "followed while values are made of it"),
  ],
  writes: [
    ClusterAddon,
    unwatched(Secret, "it keeps what was rendered, and is read while that is applied"),
    awaited(WorkloadObject, "followed while its kind is to come, or it is to be gone"),
  ],
  verbs: {
    Cluster: ["get"],
    ClusterAddon: ["get", "list", "patch"],
    ClusterStackRelease: ["get"],
    Secret: ["get", "create", "patch", "delete"],
    "cluster-object": ["get"],
    "source-secret": ["get"],
    "workload/addon-object": ["get", "list", "create", "patch", "delete"],
  },
  adopts: { "workload/addon-object": "what addons bring is theirs, whoever made it" },
  paused: isPaused,
  observe: async ({ self, read, use, news, config }) => ({
    world: isLeftOut(self, config)
      ? undefined
      : await observeAddon(self, {
          releases: namespacedReleases(use(releases), config.sources, (at) => read.object(SourceSecret, at)),
          charts: use(charts),
          news,
          cluster: (at) => read.get(Cluster, at),
          release: (at) => read.get(ClusterStackRelease, at),
          secret: (at) => read.get(Secret, at),
          there: (cluster) => read.cluster(workloads, cluster),
          object: (at) => read.object(ClusterObject, at),
          knows: (what) => read.knows(ClusterObject, what),
          workloadObject: (at) => read.object(WorkloadObject, at),
          workloadKnows: (what) => read.knows(WorkloadObject, what),
        }),
  }),
  reconcile: ({ self, world }, { now, config }) =>
    world === undefined
      ? leftOut(self, config)
      : addonPass(self, world, `${config.stageDeadlineMinutes}m`, now),
  finalizer: {
    name: "clusteraddon.clusterstack.x-k8s.io",
    when: ({ world }) => world !== undefined,
    finalize: ({ self, world }, { now, config }) =>
      world === undefined
        ? leftOut(self, config)
        : addonDeletion(self, world, `${config.stageDeadlineMinutes}m`, now),
  },
  failed: ({ self }, { message }, { now }) => failedAddon(self, message, now),
});
