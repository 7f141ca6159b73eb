import { table } from "../../../shared/text.ts";
import {
  isFor,
  isMandatory,
  lackingLabels,
  type Template,
  templateName,
} from "../decide/resolution/index.ts";
import { LABELS } from "../kinds/index.ts";
import type { AKyma, StoredCatalog } from "./read.ts";

/** One version of a module, as a channel or the rule for all clusters names it. */
export interface ListedRelease {
  readonly module: string;
  /** Empty for a module that each cluster gets. */
  readonly channel: string;
  readonly version: string;
  readonly mandatory: boolean;
  /** True where an upgrade to it waits for a maintenance window. */
  readonly downtime: boolean;
  /** The reason why a Kyma cannot have it, or nobody can; undefined: nothing is in the way. */
  readonly lacks: string | undefined;
}

/**
 * The versions that a catalog offers; with a Kyma why that one cannot have some of them. The catalog of a runtime is what its Kyma may have, and that
 * Kyma bears few of the labels that decided it: nothing is said of labels there. Pure.
 */
export function listedReleases(
  { releases, templates }: StoredCatalog,
  restricted: readonly string[],
  kyma?: Pick<AKyma, "metadata">,
): readonly ListedRelease[] {
  const judged = kyma?.metadata.labels[LABELS.watchedBy] === undefined ? kyma : undefined;
  const found = new Map(templates.map((template) => [template.metadata.name, template]));
  return releases.flatMap((release) => {
    const { spec } = release;
    if (spec === undefined) return [];
    const mandatory = isMandatory(release);
    const offers = mandatory
      ? [{ channel: "", version: spec.mandatory?.version ?? "" }]
      : (spec.channels ?? []);
    return offers.map(({ channel, version }): ListedRelease => {
      const template = found.get(templateName(spec.moduleName, version));
      return {
        module: spec.moduleName,
        channel,
        version,
        mandatory,
        downtime: template?.spec?.requiresDowntime === true,
        lacks:
          template === undefined
            ? `there is no ModuleTemplate ${templateName(spec.moduleName, version)}`
            : // Who is to have a module that each cluster gets is not asked.
              mandatory || judged === undefined
              ? undefined
              : lackFor(judged, template, isFor(spec, judged.metadata.labels, restricted)),
      };
    });
  });
}

function lackFor(
  kyma: Pick<AKyma, "metadata">,
  { metadata }: Template,
  isForIt: boolean,
): string | undefined {
  if (!isForIt) return "it is for selected Kymas, and this is none of them";
  const lacking = lackingLabels(metadata.labels, kyma.metadata.labels);
  return lacking.length === 0
    ? undefined
    : `the Kyma lacks the label ${lacking.map((label) => `${label}=true`).join(" and ")}`;
}

/** The catalog as a table, a line for each channel of each module. */
export function catalogText(listed: readonly ListedRelease[], asked: string): string {
  if (listed.length === 0)
    return `The catalog is empty: there is no ModuleReleaseMeta in the namespace ${asked}. Name another one with -n.`;
  return table(
    ["module", "channel", "version", "upgrade", "why not"],
    listed.map(({ module, channel, version, mandatory, downtime, lacks }) => [
      module,
      mandatory ? "(each cluster)" : channel,
      version,
      downtime ? "in a maintenance window" : "at once",
      lacks,
    ]),
  );
}
