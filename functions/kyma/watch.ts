import { changed, each, on, unwatched } from "../../shared/function/index.ts";
import { Lease } from "../../shared/kube/kinds/index.ts";
import { configuration } from "./configuration.ts";
import {
  isOfRuntime,
  kymaIn,
  lastSign,
  leaseName,
  namesakes,
  ofRuntime,
  watchPass,
} from "./decide/watch/index.ts";
import { isSet, Kyma, LABELS, runtimeAlive, runtimeChanged, runtimeSilent } from "./kinds/index.ts";

/** The signs of life of one runtime: who is silent is looked at (4, c). The hosts that hear them tell only news of them. */
export const watch = each(Kyma, {
  status: ["conditions.Watch"],
  heeds: ["runtimeId", "skipped", "watcher"],
}).function({
  name: "kyma-watch",
  config: configuration,
  wakes: [
    // Whoever bears the same identity, or did until now.
    changed(Kyma).toEach<typeof Kyma>(
      ({ metadata }, { runtimeId }) => metadata.labels[LABELS.runtimeId] === runtimeId,
      {
        same: "namespace",
        where: ({ runtimeId }) => (runtimeId ? ofRuntime({ runtimeId }) : undefined),
        when: ({ gone, runtimeId, was }) => gone || runtimeId !== was?.runtimeId,
      },
    ),
    on(runtimeAlive).toEach<typeof Kyma>(isOfRuntime, { where: ofRuntime, sole: kymaIn }),
    on(runtimeSilent).toEach<typeof Kyma>(isOfRuntime, { where: ofRuntime, sole: kymaIn }),
  ],
  writes: [Kyma, unwatched(Lease, "a sign of life is news when it comes, not when it is stored")],
  verbs: { Kyma: ["get", "list", "patch"], Lease: ["get", "create", "patch"] },
  emits: [runtimeChanged],
  adopts: { Lease: "it has the name that its Kyma gives it" },
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  observe: async ({ self: { metadata }, read, news }) => ({
    sign: lastSign(news),
    lease: await read.get(Lease, { name: leaseName(metadata.name), namespace: metadata.namespace }),
    others: await namesakes(metadata, (labels) => read.list(Kyma, { namespace: metadata.namespace, labels })),
  }),
  reconcile: (world, { now, config }) => watchPass(world, config.watcher, now),
});
