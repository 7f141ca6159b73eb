import { changed, each } from "../../shared/function/index.ts";
import { isDeleting } from "../../shared/kube/objects.ts";
import { releaseGoes } from "./decide/deletion/index.ts";
import { Kyma, LABELS, Manifest, ModuleReleaseMeta } from "./kinds/index.ts";

/** The release of a module that each cluster gets: it stays until the last cluster has lost the module (3.2). */
export const releaseDeletion = each(ModuleReleaseMeta).function({
  name: "kyma-release-deletion",
  wakes: [
    // There are thousands of Manifests of a module: only that one is gone matters.
    changed(Manifest).toName<typeof ModuleReleaseMeta>(({ moduleName, namespace, gone }) =>
      moduleName === undefined || !gone ? undefined : { name: moduleName, namespace },
    ),
    // One that is left alone before it was asked to take the module away does not do that any more.
    changed(Kyma).toEach<typeof ModuleReleaseMeta>(({ spec }) => spec?.mandatory !== undefined, {
      same: "namespace",
      when: ({ skipped, paused, was }) => skipped !== was?.skipped || paused !== was?.paused,
    }),
  ],
  writes: [Manifest],
  verbs: { ModuleReleaseMeta: ["get", "patch"], Kyma: ["list"], Manifest: ["list", "delete"] },
  observe: async ({ self, read }) => {
    const { name, namespace } = self.metadata;
    if (!isDeleting(self)) return { left: [], kymas: [] };
    const left = await read.list(Manifest, { namespace, labels: { [LABELS.moduleName]: name } });
    const isAsked = left.every((manifest) => isDeleting(manifest));
    return { left, kymas: isAsked ? [] : await read.list(Kyma, { namespace }) };
  },
  reconcile: () => ({}),
  finalizer: {
    name: "operator.kyma-project.io/mandatory-module",
    when: ({ self }) => self.spec?.mandatory !== undefined,
    owes: ({ self }) => self.metadata.deletionTimestamp !== undefined,
    finalize: ({ left, kymas }) => releaseGoes({ left, kymas }),
  },
});
