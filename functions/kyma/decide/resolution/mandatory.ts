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

/** The module of a release: it has its name, but one that each cluster gets may be named otherwise. */
const moduleOf = ({ metadata, spec }: Release): string =>
  (spec?.mandatory !== undefined && spec.moduleName) || metadata.name;

/** The releases by their modules. Of several about one module that counts which each cluster gets, then the one that has its name. */
export function releasesByModule<R extends Release>(releases: readonly R[]): ReadonlyMap<string, R> {
  const rank = (release: R): number =>
    Number(isMandatory(release)) * 2 + Number(release.metadata.name === moduleOf(release));
  const inOrder = releases.toSorted(
    (one, other) => rank(one) - rank(other) || compare(other.metadata.name, one.metadata.name),
  );
  return new Map(inOrder.map((release) => [moduleOf(release), release]));
}

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
  const living = releases.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return [...releasesByModule(living)]
    .flatMap(([module, { spec }]) => {
      if (spec?.mandatory === undefined) return [];
      const { ocmComponentName } = spec;
      const { version } = spec.mandatory;
      return [{ module, version, ocmComponentName, template: template(templateName(module, version)) }];
    })
    .sort((one, other) => compare(one.module, other.module));
}
