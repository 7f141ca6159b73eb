import type { ComponentOverride, ManifestView } from "./types.ts";

/** Whether the user has taken a manifest out of the controller's hands: it is then skipped in everything. */
export const isUnmanaged = (
  overrides: readonly ComponentOverride[] | undefined,
  manifest: ManifestView,
): boolean => (overrides ?? []).some((override) => override.unmanaged && matches(override, manifest));

/** By group without version, kind and name; the namespace counts only where the manifest has one. */
const matches = (override: ComponentOverride, { group, kind, name, namespace }: ManifestView): boolean =>
  override.group === group &&
  override.kind === kind &&
  override.name === name &&
  (namespace === "" || override.namespace === namespace);

/** Whether anything at all is taken out; it stands against updates to another minor version. */
export const hasOverrides = (overrides: readonly ComponentOverride[] | undefined): boolean =>
  (overrides ?? []).some(({ unmanaged }) => unmanaged);

/** What an override says against minor updates. */
export const OVERRIDES_MESSAGE =
  "Disabling ownership via cluster version overrides prevents updates between minor or major versions. Please remove overrides before requesting a minor or major version update.";
