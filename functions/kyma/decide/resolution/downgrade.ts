import { parseVersion } from "../../../../shared/versions.ts";

/** The way from one version to another, by major, minor and patch: what stands behind a dash counts for nothing. */
export type Way = "same" | "onward" | "back" | "unknown";

/** The way from the version that is installed to the one that is wanted. Texts that are no versions give an unknown way. */
export function wayBetween(installed: string, wanted: string): Way {
  if (installed === wanted) return "same";
  const [from, to] = [parseVersion(installed), parseVersion(wanted)];
  if (from === undefined || to === undefined) return "unknown";
  const step = to.major - from.major || to.minor - from.minor || to.patch - from.patch;
  return step < 0 ? "back" : "onward";
}
