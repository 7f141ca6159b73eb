import type { Metadata, Obj } from "../../../../shared/function/index.ts";
import {
  ANNOTATIONS,
  type Kyma,
  LABELS,
  type ModuleReleaseMeta,
  type ModuleReleaseMetaSpec,
  type ModuleTemplate,
  type ModuleTemplateSpec,
} from "../../kinds/index.ts";
import { isFor, isMandatory, isVisible, templateName } from "../resolution/index.ts";

/** A copy of an object of the catalog, as it is to be in a runtime. */
export interface CatalogCopy<Spec> {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Spec;
}
/** The catalog of one Kyma: what its user may choose. */
export interface CatalogCopies {
  readonly releases: readonly CatalogCopy<ModuleReleaseMetaSpec>[];
  readonly templates: readonly CatalogCopy<ModuleTemplateSpec>[];
}

/** The part of the catalog that a Kyma may see: neither modules for all, nor channels whose version is not for it. */
export function copiesFor(
  { metadata }: Obj<typeof Kyma>,
  releases: readonly Obj<typeof ModuleReleaseMeta>[],
  templates: readonly Obj<typeof ModuleTemplate>[],
  restrictedModules: readonly string[],
): CatalogCopies {
  const byName = new Map(templates.map((template) => [template.metadata.name, template]));
  const visible = (module: string, version: string): Obj<typeof ModuleTemplate> | undefined => {
    const template = byName.get(templateName(module, version));
    return template?.spec !== undefined &&
      template.spec.mandatory !== true &&
      template.metadata.deletionTimestamp === undefined &&
      isVisible(template.metadata.labels, metadata.labels)
      ? template
      : undefined;
  };
  const chosen = releases.flatMap((release) => {
    const { spec } = release;
    if (spec === undefined || isMandatory(release) || release.metadata.deletionTimestamp !== undefined)
      return [];
    if (!isFor(spec, metadata.labels, restrictedModules)) return [];
    const channels = (spec.channels ?? []).flatMap((channel) => {
      const template = visible(release.metadata.name, channel.version);
      return template === undefined ? [] : [{ channel, template }];
    });
    return channels.length === 0 ? [] : [{ release, spec, channels }];
  });
  const offered = new Map(
    chosen.flatMap(({ channels }) => channels.map(({ template }) => [template.metadata.name, template])),
  );
  return {
    releases: chosen.map(({ release, spec, channels }) =>
      copyOf(release.metadata, { ...spec, channels: channels.map(({ channel }) => channel) }),
    ),
    templates: [...offered.values()].flatMap((template) =>
      template.spec === undefined
        ? []
        : [copyOf(template.metadata, template.spec, annotationsOf(template.metadata))],
    ),
  };
}

const copyOf = <Spec>(
  { name, labels }: Pick<Metadata, "name" | "labels">,
  spec: Spec,
  annotations: Readonly<Record<string, string>> = {},
): CatalogCopy<Spec> => ({ name, labels: { ...labels, [LABELS.managedBy]: "kyma" }, annotations, spec });

/** Annotations of tools matter at home alone. */
function annotationsOf({ annotations }: Pick<Metadata, "annotations">): Readonly<Record<string, string>> {
  const scoped = annotations[ANNOTATIONS.isClusterScoped];
  return scoped === undefined ? {} : { [ANNOTATIONS.isClusterScoped]: scoped };
}
