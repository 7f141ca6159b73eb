import { awaited, each, on } from "../../shared/function/index.ts";
import { configuration } from "./configuration.ts";
import { observeStatus, statusPass } from "./decide/runtime/index.ts";
import { isOfRuntime, kymaIn, ofRuntimeItself } from "./decide/watch/index.ts";
import {
  isSet,
  Kyma,
  LABELS,
  PREDECESSOR_MANAGERS,
  RuntimeKyma,
  runtimeChanged,
  runtimeKymaAt,
  runtimeOf,
} from "./kinds/index.ts";

/** The status of one Kyma as its user sees it: that of the Kyma in the runtime. It follows each step of a module, and asks for nothing else there (3.8). */
export const statuses = each(Kyma, { status: [], heeds: ["status", "skipped"] }).function({
  name: "kyma-statuses",
  config: configuration,
  // The function of the runtime wrote it before.
  succeeds: [...PREDECESSOR_MANAGERS, "reveille-kyma-runtimes"],
  wakes: [on(runtimeChanged).toEach<typeof Kyma>(isOfRuntime, { where: ofRuntimeItself, sole: kymaIn })],
  writes: [awaited(RuntimeKyma, "followed while the runtime itself does not tell of changes")],
  verbs: { Kyma: ["get"], "runtime/Kyma": ["get", "patch"] },
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  observe: async ({ self, read, config }) => {
    const cluster = self.metadata.name;
    return {
      world: await observeStatus(self, config, {
        there: () => runtimeOf(self.metadata, read, config),
        kyma: () => read.get(RuntimeKyma, runtimeKymaAt(cluster)),
      }),
    };
  },
  reconcile: ({ self, world }, { now }) => statusPass(self, world, now),
});
