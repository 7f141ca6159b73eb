import { awaited, changed, each, on, released, unwatched } from "../../shared/function/index.ts";
import { whereKnown } from "../../shared/function/known.ts";
import { configuration } from "./configuration.ts";
import { isLeftOut, leftOut } from "./decide/filter/index.ts";
import { failedRelease, observeRelease, releaseDeletion, releasePass } from "./decide/release/index.ts";
import { namespacedReleases } from "./decide/source/index.ts";
import { classOfFacts, leavesClass, releasePlace } from "./decide/usage/index.ts";
import {
  ClassObject,
  Cluster,
  ClusterAddon,
  ClusterClass,
  ClusterStackRelease,
  isPaused,
  PREDECESSOR_MANAGERS,
  ProviderObject,
  SourceSecret,
} from "./kinds/index.ts";
import { charts } from "./ports/charts/index.ts";
import { releases as sources } from "./ports/releases/index.ts";

/** One release: its assets, its provider's images, then the objects of its ClusterClass (4.2). */
export const releases = each(ClusterStackRelease).function({
  name: "cluster-stack-releases",
  config: configuration,
  uses: [sources, charts],
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    // Who comes to use one changes nothing of it: whoever takes it away looks for its users.
    changed(Cluster).toName<typeof ClusterStackRelease>((cluster) => releasePlace(classOfFacts(cluster)), {
      when: leavesClass,
    }),
    // One that somebody deleted or changed is put right at once.
    changed(ClusterClass).toName<typeof ClusterStackRelease>(({ name, namespace }) =>
      releasePlace({ name, namespace }),
    ),
    on(released).toEach<typeof ClusterStackRelease>(
      (release, { version }) => release.metadata.name === version,
      { where: ({ version }) => ({ name: version }) },
    ),
  ],
  reads: [
    unwatched(ClusterAddon, "waited for where it holds a release that goes"),
    awaited(SourceSecret, "followed while a source gives no release to its credentials"),
  ],
  writes: [
    awaited(ClassObject, "followed while it is to be gone, or its kind to come"),
    awaited(ProviderObject, "followed as long as the release is there"),
  ],
  verbs: {
    Cluster: ["list"],
    ClusterAddon: ["list"],
    ClusterClass: [],
    "class-object": ["get", "create", "patch", "delete"],
    "provider-object": ["get", "patch"],
    "source-secret": ["get"],
  },
  adopts: { "class-object": "what a release brings is the release's, whoever made it" },
  paused: isPaused,
  observe: async ({ self, read, use, news, config }) => ({
    world: isLeftOut(self, config)
      ? undefined
      : await observeRelease(self, {
          releases: namespacedReleases(use(sources), config.sources, (at) => read.object(SourceSecret, at)),
          charts: use(charts),
          news,
          clusters: () => whereKnown(() => read.list(Cluster)),
          addons: () => read.list(ClusterAddon),
          all: () => read.list(ClusterStackRelease),
          release: (at) => read.get(ClusterStackRelease, at),
          provider: (at) => read.object(ProviderObject, at),
          object: (at) => read.object(ClassObject, at),
          knows: (what) => read.knows(ClassObject, what),
        }),
  }),
  reconcile: ({ self, world }, { now, config }) =>
    world === undefined ? leftOut(self, config) : releasePass(self, world, now),
  finalizer: {
    name: "clusterstackrelease.clusterstack.x-k8s.io",
    when: ({ world }) => world !== undefined,
    finalize: ({ self, world }, { now, config }) =>
      world === undefined ? leftOut(self, config) : releaseDeletion(self, world, now),
  },
  failed: ({ self }, { message }, { now }) => failedRelease(self, message, now),
});
