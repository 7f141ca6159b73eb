import { changed, each } from "../../shared/function/index.ts";
import { LABELS, Manifest, ModuleReleaseMeta } from "./kinds/index.ts";

/** The release of a module that each cluster gets: it stays until the last cluster has lost the module (3.2). */
export const releaseDeletion = each(ModuleReleaseMeta).function({
  name: "kyma-release-deletion",
  wakes: [
    // There are thousands of Manifests of a module: only that one is gone matters.
    changed(Manifest).toName<typeof ModuleReleaseMeta>(({ moduleName, namespace, gone }) =>
      moduleName === undefined || !gone ? undefined : { name: moduleName, namespace },
    ),
  ],
  verbs: { ModuleReleaseMeta: ["get", "patch"], Manifest: ["list"] },
  observe: async ({ self, read }) => {
    const { name, namespace } = self.metadata;
    const isDeleted = self.metadata.deletionTimestamp !== undefined;
    return {
      left: isDeleted ? await read.list(Manifest, { namespace, labels: { [LABELS.moduleName]: name } }) : [],
    };
  },
  reconcile: () => ({}),
  finalizer: {
    name: "operator.kyma-project.io/mandatory-module",
    when: ({ self }) => self.spec?.mandatory !== undefined,
    owes: ({ self }) => self.metadata.deletionTimestamp !== undefined,
    finalize: ({ left }) =>
      left.length === 0
        ? { finalized: true }
        : { waitingFor: [{ for: `${left.map(({ metadata }) => metadata.name).join(", ")} to be gone` }] },
  },
});
