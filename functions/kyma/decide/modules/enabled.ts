import type { Obj } from "../../../../shared/function/index.ts";
import type { Manifest } from "../../kinds/index.ts";
import {
  type EnabledModule,
  keptCapabilities,
  keptRequirements,
  kindsNamedBy,
  kindsOfObject,
  type Offer,
} from "../dependencies/index.ts";
import { manifestName } from "../manifest/index.ts";
import type { EffectiveModule } from "../policy/index.ts";
import type { MandatoryModule, Resolution, Template } from "../resolution/index.ts";

type Installed = Obj<typeof Manifest> | undefined;

/**
 * A wanted module as others may need it: in the version that it is brought to, else in the one that stays.
 * @param template the ModuleTemplate of the version that stays, where the catalog still has it
 */
export function wantedModule(
  kyma: string,
  { name, managed }: Pick<EffectiveModule, "name" | "managed">,
  manifest: Installed,
  resolution: Resolution,
  template: (manifest: NonNullable<Installed>) => Template | undefined,
): EnabledModule {
  if (!managed) return { name, manifest: manifest?.metadata.name, isLeft: true, requires: [], provides: [] };
  if (resolution.verdict === "install") {
    const { spec } = resolution.template;
    return {
      name,
      manifest: manifest?.metadata.name ?? manifestName(kyma, resolution.ocmComponentName, name),
      requires: spec?.requires ?? [],
      provides: spec?.provides ?? [],
      kinds: kindsNamedBy(spec),
    };
  }
  return manifest === undefined
    ? { name, manifest: undefined, requires: [], provides: [] }
    : {
        manifest: manifest.metadata.name,
        requires: keptRequirements(manifest),
        ...offerOf(name, manifest, template(manifest)),
      };
}

/**
 * The offer of an installed module to others.
 * @param template the ModuleTemplate of its version, where the catalog still has it: only that names the kinds of objects that users create
 */
export const offerOf = (
  name: string,
  manifest: NonNullable<Installed>,
  template: Template | undefined,
): Offer => ({
  name,
  provides: keptCapabilities(manifest),
  kinds: [...kindsOfObject(manifest.spec?.resource), ...kindsNamedBy(template?.spec)],
});

/** A module that each cluster gets as others may need it. */
export const mandatoryModule = (
  kyma: string,
  { module, ocmComponentName, template }: MandatoryModule,
): EnabledModule => ({
  name: module,
  manifest: ocmComponentName ? manifestName(kyma, ocmComponentName, module) : undefined,
  requires: template?.spec?.requires ?? [],
  provides: template?.spec?.provides ?? [],
  kinds: kindsNamedBy(template?.spec),
});
