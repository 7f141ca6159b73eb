import { GATED_CAPABILITIES } from "../../kinds/capability.ts";
import { CAPABILITY_SETS, KNOWN_CAPABILITIES } from "./capability-sets.ts";
import { isUnmanaged } from "./overrides.ts";
import type { CapabilitiesSpec, ComponentOverride, ManifestView, Verdict } from "./types.ts";

/** The optional parts of the cluster, each list sorted. */
export interface Capabilities {
  readonly enabled: readonly string[];
  readonly known: readonly string[];
  /** Enabled although the spec does not ask for them: they cannot be turned off. */
  readonly implicit: readonly string[];
}

/**
 * The baseline set, what is asked for beyond it, all that was ever enabled, and `moved` (see `movedCapabilities`). Names that
 * nobody knows stay enabled once they are: after a rollback they are only not used.
 */
export function capabilitiesOf(
  spec: CapabilitiesSpec | undefined,
  previouslyEnabled: readonly string[],
  moved: readonly string[] = [],
): Capabilities {
  const baseline = CAPABILITY_SETS[spec?.baselineCapabilitySet ?? "vCurrent"] ?? KNOWN_CAPABILITIES;
  const gated = GATED_CAPABILITIES.filter((name) => spec?.additionalEnabledCapabilities?.includes(name));
  const asked = new Set([...baseline, ...(spec?.additionalEnabledCapabilities ?? [])]);
  const enabled = new Set([...asked, ...previouslyEnabled, ...moved]);
  return {
    enabled: [...enabled].toSorted(),
    known: [...KNOWN_CAPABILITIES, ...gated].toSorted(),
    implicit: [...enabled].filter((name) => !asked.has(name)).toSorted(),
  };
}

/** The condition ImplicitlyEnabledCapabilities. */
export const implicitlyEnabledVerdict = ({ implicit }: Capabilities): Verdict =>
  implicit.length > 0
    ? {
        status: "True",
        reason: "CapabilitiesImplicitlyEnabled",
        message: `The following capabilities could not be disabled: ${implicit.join(", ")}`,
      }
    : { status: "False", reason: "AsExpected", message: "Capabilities match configured spec" };

/** The capabilities that a manifest belongs to. */
function capabilitiesOfManifest({ object }: ManifestView): readonly string[] {
  const text = object.metadata?.annotations?.["capability.openshift.io/name"];
  return text === undefined || text === "" ? [] : text.split("+");
}

/** True where all capabilities of a manifest are known and enabled; one without any always is. */
export const isEnabled = (
  manifest: ManifestView,
  { enabled, known }: Pick<Capabilities, "enabled" | "known">,
): boolean =>
  capabilitiesOfManifest(manifest).every((name) => known.includes(name) && enabled.includes(name));

/**
 * The capabilities that the next payload makes implicit: not enabled so far, of manifests that are applied today under others or
 * none. Both lists have passed the payload's own filter; names that this program does not know count here.
 */
export function movedCapabilities(
  today: readonly ManifestView[],
  next: readonly ManifestView[],
  capabilities: Pick<Capabilities, "enabled" | "known">,
  overrides: readonly ComponentOverride[] | undefined,
): readonly string[] {
  const applied = Map.groupBy(
    today.filter((manifest) => isEnabled(manifest, capabilities) && !isUnmanaged(overrides, manifest)),
    identity,
  );
  const moved = next.flatMap((manifest) =>
    (applied.get(identity(manifest)) ?? []).flatMap((before) => {
      const had = capabilitiesOfManifest(before);
      return capabilitiesOfManifest(manifest).filter(
        (name) => !had.includes(name) && !capabilities.enabled.includes(name),
      );
    }),
  );
  return [...new Set(moved)].toSorted();
}

const identity = ({ group, kind, namespace, name }: ManifestView): string =>
  [group, kind, namespace, name].join("/");
