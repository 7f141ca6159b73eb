import { awaited, changed, each, on } from "../../shared/function/index.ts";
import { isTrue } from "../../shared/kube/conditions.ts";
import { configuration } from "./configuration.ts";
import { type CatalogWorld, catalogPass } from "./decide/catalog/index.ts";
import { unlessRefused } from "./decide/runtime/index.ts";
import { isOfRuntime, kymaIn, ofRuntimeCatalog } from "./decide/watch/index.ts";
import {
  isSet,
  Kyma,
  LABELS,
  ModuleReleaseMeta,
  ModuleTemplate,
  PREDECESSOR_MANAGERS,
  RUNTIME_NAMESPACE,
  RuntimeNamespace,
  RuntimeRelease,
  RuntimeTemplate,
  runtimeChanged,
  runtimeOf,
} from "./kinds/index.ts";

/** The catalog in the runtime of one Kyma: copies of the releases and templates that its user may choose (3.8). */
export const catalog = each(Kyma, {
  status: ["conditions.ModuleCatalog"],
  heeds: ["labels", "definitions", "tells"],
}).function({
  name: "kyma-catalogs",
  config: configuration,
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    changed(ModuleReleaseMeta).toEach<typeof Kyma>(() => true, { same: "namespace" }),
    changed(ModuleTemplate).toEach<typeof Kyma>(() => true, { same: "namespace" }),
    on(runtimeChanged).toEach<typeof Kyma>(isOfRuntime, { where: ofRuntimeCatalog, sole: kymaIn }),
  ],
  reads: [awaited(RuntimeNamespace, "followed while the copies have none to lie in")],
  writes: [
    awaited(RuntimeRelease, "followed while the runtime itself does not tell of changes"),
    awaited(RuntimeTemplate, "followed while the runtime itself does not tell of changes"),
  ],
  verbs: {
    Kyma: ["get", "list", "patch"],
    ModuleReleaseMeta: ["list"],
    ModuleTemplate: ["list"],
    "runtime/ModuleReleaseMeta": ["get", "list", "create", "patch", "delete"],
    "runtime/ModuleTemplate": ["get", "list", "create", "patch", "delete"],
  },
  adopts: {
    "runtime/ModuleReleaseMeta":
      "a release has the name of its module, and what it says is the control plane's",
    "runtime/ModuleTemplate":
      "a template has the name of its version, and what it says is the control plane's",
  },
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  observe: async ({ self, read, config }): Promise<{ readonly world: CatalogWorld }> => {
    if (config.target === "local") return { world: { step: "local" } };
    const { name: cluster, namespace } = self.metadata;
    const there = await runtimeOf(self.metadata, read, config);
    if (there.state !== "reachable") return { world: { step: "away", there } };
    if (!isTrue(self.status?.conditions, "CRDsSync")) return { world: { step: "early" } };
    const copies = {
      cluster,
      namespace: RUNTIME_NAMESPACE,
      labels: { [LABELS.managedBy]: "kyma" },
    };
    const [releases, templates, copied] = await Promise.all([
      read.list(ModuleReleaseMeta, { namespace }),
      read.list(ModuleTemplate, { namespace }),
      unlessRefused(() =>
        Promise.all([read.list(RuntimeRelease, copies), read.list(RuntimeTemplate, copies)]),
      ),
    ]);
    if ("refused" in copied) return { world: { step: "refused", there, refused: copied.refused } };
    const [copiedReleases, copiedTemplates] = copied.read;
    return {
      world: { step: "there", there, releases, templates, copiedReleases, copiedTemplates },
    };
  },
  reconcile: ({ self, world }, { now, config }) => catalogPass(self, world, config, now),
});
