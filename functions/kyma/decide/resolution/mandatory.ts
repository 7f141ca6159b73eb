import type { Metadata } from "../../../../shared/function/index.ts";
import { compare } from "../../../../shared/kube/objects.ts";
import { isSet, LABELS } from "../../kinds/index.ts";
import { type Catalog, type Release, type Template, templateName } from "./catalog.ts";

/** A module that each cluster gets. */
export interface MandatoryModule {
  readonly module: string;
  readonly version: string;
  readonly ocmComponentName: string | undefined;
  /** Undefined: the catalog lacks the version. */
  readonly template: Template | undefined;
}

/** True where each cluster gets the module: the ModuleReleaseMeta says so, whatever templates say. */
export const isMandatory = ({ spec }: Release): boolean => spec?.mandatory !== undefined;

/**
 * The modules that a Kyma gets whatever its user wants, by name. Undefined: the Kyma is being deleted or left alone, so that neither are
 * modules added to it nor taken from it.
 */
export function mandatoryModules(
  kyma: { readonly metadata: Pick<Metadata, "labels" | "deletionTimestamp"> },
  releases: readonly Release[],
  { template }: Pick<Catalog, "template">,
): readonly MandatoryModule[] | undefined {
  const { labels, deletionTimestamp } = kyma.metadata;
  if (deletionTimestamp !== undefined || isSet(labels, LABELS.skipReconciliation)) return undefined;
  return releases
    .flatMap(({ metadata, spec }) => {
      if (spec?.mandatory === undefined || metadata.deletionTimestamp !== undefined) return [];
      const { moduleName: module, ocmComponentName } = spec;
      const { version } = spec.mandatory;
      return [{ module, version, ocmComponentName, template: template(templateName(module, version)) }];
    })
    .sort((one, other) => compare(one.module, other.module));
}
