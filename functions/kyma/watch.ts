import { each, on, unwatched } from "../../shared/function/index.ts";
import { Lease } from "../../shared/kube/kinds/index.ts";
import { configuration } from "./configuration.ts";
import { isBeat, isOfRuntime, leaseName, ofRuntime, watchPass } from "./decide/watch/index.ts";
import { isSet, Kyma, LABELS, runtimeBeat, runtimeChanged } from "./kinds/index.ts";

/** The signs of life of one runtime: who is silent for too long is looked at (4, c). */
export const watch = each(Kyma, { status: ["conditions.Watch"] }).function({
  name: "kyma-watch",
  config: configuration,
  wakes: [on(runtimeBeat).toEach<typeof Kyma>(isOfRuntime, { where: ofRuntime })],
  writes: [Kyma, unwatched(Lease, "a sign of life is news when it comes, not when it is stored")],
  verbs: { Kyma: ["get", "patch"], Lease: ["get", "create", "patch"] },
  emits: [runtimeChanged],
  adopts: { Lease: "it has the name that its Kyma gives it" },
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  observe: async ({ self: { metadata }, read, news }) => ({
    beat: isBeat(news),
    lease: await read.get(Lease, { name: leaseName(metadata.name), namespace: metadata.namespace }),
  }),
  reconcile: (world, { now, config }) => watchPass(world, config.watcher, now),
});
