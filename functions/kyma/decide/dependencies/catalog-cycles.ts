import { compare } from "../../../../shared/kube/objects.ts";
import { type Release, type Template, templateName } from "../resolution/index.ts";
import { cyclesAmong } from "./cycles.ts";
import type { EnabledModule } from "./module.ts";

/** The versions that may be chosen together. */
export interface StoredVersions {
  readonly releases: readonly Release[];
  readonly templates: readonly Template[];
}
/** A cycle of hard requirements among the versions of one channel. */
export interface CatalogCycle {
  /** Undefined: it needs no release, since a version requires its own module. */
  readonly channel: string | undefined;
  /** The modules on the way, from the first by name back to itself. */
  readonly way: readonly string[];
}

/**
 * The cycles in a catalog: whoever follows one of these channels could install none of the modules on the way. Modules that each cluster gets are
 * part of each channel. A Kyma that mixes channels may have others, which its own status tells.
 */
export function catalogCycles({ releases, templates }: StoredVersions): readonly CatalogCycle[] {
  const byName = new Map(templates.map((template) => [template.metadata.name, template]));
  const channels = new Set(
    releases.flatMap(({ spec }) => spec?.channels?.map(({ channel }) => channel) ?? []),
  );
  const ofChannels = [...channels].sort(compare).flatMap((channel) =>
    waysAmong(
      releases.flatMap(({ spec }) => {
        const version =
          spec?.mandatory?.version ?? spec?.channels?.find((one) => one.channel === channel)?.version;
        const template =
          spec === undefined || version === undefined
            ? undefined
            : byName.get(templateName(spec.moduleName, version));
        return template === undefined ? [] : enabled(template);
      }),
    ).map((way) => ({ channel, way })),
  );
  const alone = templates
    .flatMap((template) => waysAmong(enabled(template)))
    .map((way) => ({ channel: undefined, way }));
  return [...ofChannels, ...distinct(alone)];
}

const enabled = ({ metadata, spec }: Template): readonly EnabledModule[] => [
  {
    name: spec?.moduleName ?? metadata.name,
    manifest: undefined,
    requires: spec?.requires ?? [],
    provides: spec?.provides ?? [],
  },
];

/** Each cycle once, from its first module by name. */
const waysAmong = (modules: readonly EnabledModule[]): readonly (readonly string[])[] => [
  ...new Map(
    [...cyclesAmong(modules).values()].map((way) => {
      const round = turned(way.slice(0, -1));
      return [round.join(), round];
    }),
  ).values(),
];

function turned(round: readonly string[]): readonly string[] {
  const [first = ""] = [...round].sort(compare);
  const at = round.indexOf(first);
  return [...round.slice(at), ...round.slice(0, at), first];
}

const keyOf = ({ channel, way }: CatalogCycle): string => JSON.stringify([channel ?? "", way]);
const distinct = (cycles: readonly CatalogCycle[]): readonly CatalogCycle[] => [
  ...new Map(cycles.map((cycle) => [keyOf(cycle), cycle])).values(),
];

/** The cycles that a change of the catalog brings. */
export function newCycles(before: StoredVersions, after: StoredVersions): readonly CatalogCycle[] {
  const known = new Set(catalogCycles(before).map(keyOf));
  return catalogCycles(after).filter((cycle) => !known.has(keyOf(cycle)));
}

/** A cycle in words. */
export const cycleText = ({ channel, way }: CatalogCycle): string =>
  channel === undefined
    ? `${way[0]} requires itself`
    : `On the channel ${channel} modules require each other: ${way.join(" → ")}`;
/** The cycles in words, with what to do. */
export const cyclesText = (cycles: readonly CatalogCycle[]): string =>
  `${cycles.map(cycleText).join(". ")}. They could not be installed: make one of these requirements optional, or release another version of the other module first.`;
