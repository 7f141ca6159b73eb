import type { Metadata } from "../../../../shared/function/index.ts";
import type { MaintenanceState } from "../windows/index.ts";
import { type Catalog, type Release, type Template, templateName } from "./catalog.ts";
import { type Track, trackOf, type Wish } from "./channel.ts";
import { wayBetween } from "./downgrade.ts";
import { isMandatory } from "./mandatory.ts";
import { keptWithError, keptWithWarning, type Resolution, withdrawn } from "./resolution.ts";
import { isFor } from "./restriction.ts";
import { lackingLabels } from "./visibility.ts";

/** Everything that the verdict on a module rests on. */
export interface Question {
  readonly wish: Wish & { readonly allowDowngrade?: boolean | undefined };
  readonly kyma: {
    readonly metadata: Pick<Metadata, "labels">;
    readonly channel: string | undefined;
    readonly skipMaintenanceWindows: boolean;
  };
  readonly catalog: Catalog;
  /** The version that is installed; undefined: none is. */
  readonly installed: string | undefined;
  readonly maintenance: MaintenanceState;
  /** The modules that only selected Kymas may have. */
  readonly restrictedModules: readonly string[];
  /** True where a module may be pinned to a version. */
  readonly versions: boolean;
}

/** The verdict on one module of a Kyma: which version is to be installed, or why it stays as it is. */
export function resolve(question: Question): Resolution {
  const { wish, kyma, catalog, restrictedModules } = question;
  const { name } = wish;
  const { labels } = kyma.metadata;
  const track = trackOf(wish, kyma.channel, question);
  if ("reason" in track) return keptWithError(track.reason, track.message);
  const release = catalog.release(name);
  if (release?.spec === undefined)
    return keptWithWarning(
      "NoRelease",
      name === ""
        ? "A module in spec.modules has no name: give it one, or take it out of the list."
        : `The catalog has no ModuleReleaseMeta ${name}: check the name, or wait for it.`,
    );
  if (isMandatory(release))
    return keptWithWarning(
      "MandatoryModule",
      `Each cluster has ${name}, in the version that the catalog says: take it out of the list.`,
    );
  if (!isFor(release.spec, labels, restrictedModules))
    return withdrawn("Restricted", `${name} is not for this Kyma: its releases are for selected Kymas.`);
  const version = versionOf(track, release.spec.channels ?? []);
  if (version === undefined)
    return keptWithError(
      "ChannelUnknown",
      `${name} has no channel ${"channel" in track ? track.channel : ""}, only ${namesOf(release.spec.channels ?? [])}: name one of them.`,
    );
  const template = catalog.template(templateName(name, version));
  if (template === undefined)
    return {
      ...keptWithError(
        "TemplateMissing",
        `The catalog has no ModuleTemplate ${templateName(name, version)}: it is installed once it is there.`,
      ),
      awaits: templateName(name, version),
    };
  const lacking = lackingLabels(template.metadata.labels, labels);
  if (lacking.length > 0)
    return withdrawn(
      "NotVisible",
      `${name} ${version} is only for Kymas with the label ${lacking.map((label) => `${label}=true`).join(" and ")}.`,
    );
  const { ocmComponentName } = release.spec;
  if (!ocmComponentName)
    return keptWithError(
      "ComponentUnknown",
      `The ModuleReleaseMeta ${name} names no component in spec.ocmComponentName: without it nothing can be fetched.`,
    );
  const channel = "channel" in track ? track.channel : undefined;
  return (
    reasonToWait(question, version, template) ?? {
      verdict: "install",
      channel,
      version,
      ocmComponentName,
      template,
    }
  );
}

/** The version that a wish leads to, so that its ModuleTemplate can be read; undefined: it leads to none. */
export function versionAsked(
  wish: Wish,
  kymaChannel: string | undefined,
  release: Release | undefined,
  permitted: { readonly versions: boolean },
): string | undefined {
  const track = trackOf(wish, kymaChannel, permitted);
  return "reason" in track ? undefined : versionOf(track, release?.spec?.channels ?? []);
}

type Channels = readonly { readonly channel: string; readonly version: string }[];
/** The version of a track; a channel without one is as good as none. */
const versionOf = (track: Track, channels: Channels): string | undefined =>
  "version" in track
    ? track.version
    : channels.find(({ channel }) => channel === track.channel)?.version || undefined;
const namesOf = (channels: Channels): string =>
  channels.length === 0 ? "none at all" : channels.map(({ channel }) => channel).join(", ");

/** The reason why what is installed is not brought to this version now. */
function reasonToWait(question: Question, version: string, { spec }: Template): Resolution | undefined {
  const { wish, kyma, installed, maintenance } = question;
  if (installed === undefined) return undefined;
  const way = wayBetween(installed, version);
  if (way === "same") return undefined;
  if (way === "back" && wish.allowDowngrade !== true)
    return keptWithWarning(
      "Downgrade",
      `${installed} is installed and stays: ${version} is older. Choose a channel with a version that is not.`,
    );
  if (way === "unknown" && wish.allowDowngrade !== true)
    return keptWithWarning(
      "VersionUnreadable",
      `${installed} is installed and stays: whether ${version} is newer cannot be told, one of them is no semantic version.`,
    );
  if (spec?.requiresDowntime !== true || kyma.skipMaintenanceWindows) return undefined;
  if (maintenance.state === "open") return undefined;
  if (maintenance.state === "none")
    return keptWithError(
      "NoMaintenanceWindow",
      `${version} interrupts the service and waits for a maintenance window, but ${maintenance.why}: set spec.skipMaintenanceWindows to upgrade at once.`,
    );
  return {
    verdict: "keep",
    state: undefined,
    reason: "MaintenanceWindowClosed",
    message: `${version} waits for the maintenance window from ${maintenance.begin} to ${maintenance.end}.`,
    opensAt: maintenance.opensAt,
  };
}
