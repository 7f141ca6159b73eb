import { changed, each } from "../../shared/function/index.ts";
import { configuration } from "./configuration.ts";
import { failedKyma, kymaPass, lists, observeKyma } from "./decide/modules/index.ts";
import {
  isSet,
  Kyma,
  KymaPolicy,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
  PREDECESSOR_MANAGERS,
} from "./kinds/index.ts";
import { components } from "./ports/components/index.ts";

/** One Kyma: a Manifest for each module that it is to have, by its user's wishes, policies and the catalog, and how they stand (3.1, 3.2, 3.7). */
export const kymas = each(Kyma, {
  status: ["state", "activeChannel", "modules", "lastOperation", "conditions.Modules"],
}).function({
  name: "kymas",
  config: configuration,
  uses: [components],
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    changed(ModuleReleaseMeta).toEach<typeof Kyma>(
      (kyma, { name, mandatory }) => mandatory !== undefined || lists(kyma, name),
      { same: "namespace" },
    ),
    changed(ModuleTemplate).toEach<typeof Kyma>(
      (kyma, { moduleName }) => moduleName === undefined || lists(kyma, moduleName),
      { same: "namespace" },
    ),
    changed(KymaPolicy).toEach<typeof Kyma>(() => true, { same: "namespace" }),
  ],
  owns: [Manifest],
  writes: [Kyma],
  verbs: {
    Kyma: ["get", "list", "patch"],
    ModuleReleaseMeta: ["list"],
    ModuleTemplate: ["get"],
    KymaPolicy: ["list"],
    Manifest: ["get", "list", "create", "patch", "delete"],
  },
  adopts: { Manifest: "the Manifest of a module has the name that its Kyma gives it" },
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  observe: async ({ self, read, use, config }) => {
    const { name, namespace } = self.metadata;
    return {
      world: await observeKyma(self, config, {
        components: use(components),
        releases: () => read.list(ModuleReleaseMeta, { namespace }),
        policies: () => read.list(KymaPolicy, { namespace }),
        manifests: () => read.list(Manifest, { namespace, labels: { [LABELS.kymaName]: name } }),
        template: (named) => read.get(ModuleTemplate, { name: named, namespace }),
      }),
    };
  },
  reconcile: ({ self, world }, { now, config }) => kymaPass(self, world, config, now),
  failed: ({ self }, { message }, { now }) => failedKyma(self, message, now),
});
