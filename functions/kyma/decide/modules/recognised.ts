import type { Obj } from "../../../../shared/function/index.ts";
import { ANNOTATIONS, LABELS, type Manifest, type ModuleReleaseMeta } from "../../kinds/index.ts";
import { manifestName } from "../manifest/index.ts";
import { moduleOf } from "./world.ts";

type Installed = Obj<typeof Manifest>;

/**
 * The Manifests of a Kyma, each with the module that its name is made of where its label says another one, or none: what a slip of a
 * user's hand would take for unwanted would be uninstalled, with all that users have there.
 * @param modules the modules that it may be of
 */
export function recognised(
  manifests: readonly Installed[],
  kyma: string,
  modules: readonly string[],
  releases: readonly Obj<typeof ModuleReleaseMeta>[],
): readonly Installed[] {
  const components = new Map(releases.map(({ metadata, spec }) => [metadata.name, spec?.ocmComponentName]));
  return manifests.map((manifest) => {
    const { annotations, name } = manifest.metadata;
    const isOf = (module: string): boolean =>
      [annotations[ANNOTATIONS.ocmComponentName], annotations[ANNOTATIONS.fqdn], components.get(module)].some(
        (component) => component && manifestName(kyma, component, module) === name,
      );
    const label = moduleOf(manifest);
    const module = label !== "" && isOf(label) ? label : modules.find(isOf);
    return module === undefined || module === label ? manifest : withModule(manifest, module);
  });
}

const withModule = (manifest: Installed, module: string): Installed => ({
  ...manifest,
  metadata: {
    ...manifest.metadata,
    labels: { ...manifest.metadata.labels, [LABELS.moduleName]: module },
  },
});
