import { awaited, changed, each } from "../../shared/function/index.ts";
import { whereKnown } from "../../shared/function/known.ts";
import { configuration } from "./configuration.ts";
import { filterLabels, isLeftOut, leftOut } from "./decide/filter/index.ts";
import {
  asksForUsers,
  failedStack,
  isStackOfClass,
  observeTemplate,
  stackOf,
  stackPass,
} from "./decide/stack/index.ts";
import {
  type AddonOfClass,
  classOfFacts,
  leavesAddons,
  leavesClass,
  usedOf,
  usesOf,
} from "./decide/usage/index.ts";
import {
  Cluster,
  ClusterAddon,
  ClusterStack,
  ClusterStackRelease,
  isPaused,
  PREDECESSOR_MANAGERS,
  ProviderObject,
  STACK_LABEL,
  stackLabel,
} from "./kinds/index.ts";

/** One ClusterStack: which of its releases are there, which can be used, and why each other one cannot (4.1). */
export const stacks = each(ClusterStack, {
  status: ["latestRelease", "usableVersions", "summary", "conditions"],
}).function({
  name: "cluster-stacks",
  config: configuration,
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    changed(ClusterStackRelease).toOwner(),
    changed(Cluster).toEach<typeof ClusterStack>(
      (stack, cluster) => isStackOfClass(stack, classOfFacts(cluster)?.name),
      {
        when: leavesClass,
        where: (cluster) => {
          const place = classOfFacts(cluster);
          return place && { namespace: place.namespace };
        },
      },
    ),
    changed(ClusterAddon).toEach<typeof ClusterStack>(
      (stack, addon) => isStackOfClass(stack, addon.clusterStack),
      { when: leavesAddons, where: ({ clusterStack }) => (clusterStack === undefined ? undefined : {}) },
    ),
  ],
  writes: [ClusterStackRelease, awaited(ProviderObject, "templates and providers' objects are followed")],
  verbs: {
    ClusterStackRelease: ["get", "list", "create", "patch", "delete"],
    Cluster: ["list"],
    ClusterAddon: ["list"],
    "provider-object": ["get", "create", "patch"],
  },
  adopts: { "provider-object": "the object of a release is the provider's work for it, whoever made it" },
  paused: isPaused,
  observe: async ({ self, read, config }) => {
    const { namespace } = self.metadata;
    const { spec } = self;
    if (spec === undefined || isLeftOut(self, config)) return { world: undefined };
    const owned = (labels: Readonly<Record<string, string | null>>) =>
      read.list(ClusterStackRelease, { namespace, labels, ownedBy: self });
    const [labelled, others, template] = await Promise.all([
      owned(stackLabel(self)),
      // Another program made them, or an earlier version.
      owned({ [STACK_LABEL]: null }),
      observeTemplate(spec, namespace, (at) => read.object(ProviderObject, at)),
    ]);
    const existing = [...labelled, ...others];
    if (!asksForUsers(self, spec, existing)) return { world: { spec, existing, inUse: [], template } };
    // There may be thousands of either: most releases are held by a Cluster.
    const clusters = await whereKnown(() => read.list(Cluster));
    const usedBesides = (addons: readonly AddonOfClass[]) =>
      usedOf(usesOf(clusters, addons), stackOf(spec), namespace);
    const byClusters = usedBesides([]);
    const inUse = asksForUsers(self, spec, existing, byClusters)
      ? usedBesides(await read.list(ClusterAddon))
      : byClusters;
    return { world: { spec, existing, inUse, template } };
  },
  reconcile: ({ self, world }, { now, config }) => {
    // Deletion is the work of the server, which takes the releases along.
    if (self.metadata.deletionTimestamp !== undefined) return {};
    if (isLeftOut(self, config)) return leftOut(self, config);
    return world === undefined
      ? {}
      : stackPass(self, world.spec, world, {
          now,
          labels: { ...filterLabels(config), ...stackLabel(self) },
        });
  },
  failed: ({ self }, { message }, { now }) => failedStack(self, message, now),
});
