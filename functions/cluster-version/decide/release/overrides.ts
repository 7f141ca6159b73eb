import type { ComponentOverride, ManifestView } from "./types.ts";

/** True where the user has taken a manifest out of the controller's hands: it is then skipped in everything. */
export const isUnmanaged = (
  overrides: readonly ComponentOverride[] | undefined,
  manifest: ManifestView,
): boolean => (overrides ?? []).some((override) => override.unmanaged && matches(override, manifest));

/**
 * True where an override names the manifest: by group without version, kind and name; the namespace counts only where the
 * manifest has one.
 */
const matches = (override: ComponentOverride, { group, kind, name, namespace }: ManifestView): boolean =>
  override.group === group &&
  override.kind === kind &&
  override.name === name &&
  (namespace === "" || override.namespace === namespace);

/** True where any manifest is taken out; that stands against updates to another minor version. */
export const hasOverrides = (overrides: readonly ComponentOverride[] | undefined): boolean =>
  (overrides ?? []).some(({ unmanaged }) => unmanaged);

/** The message of overrides against minor updates. */
export const OVERRIDES_MESSAGE =
  "Disabling ownership via cluster version overrides prevents updates between minor or major versions. Please remove overrides before requesting a minor or major version update.";
