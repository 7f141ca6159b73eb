import type { ClusterVersionView, ConditionalUpdate } from "./types.ts";

/** The conditional update that leads to this version, if there is one. */
export const conditionalUpdateTo = (
  { status }: ClusterVersionView,
  version: string,
): ConditionalUpdate | undefined =>
  status?.conditionalUpdates?.find(({ release }) => release.version === version);

/**
 * The risks of an update that its administrator has accepted by name, sorted, where those are all that speak against it; empty where
 * none does, or another one too. The stored verdict may be older than the names: then what it rests on is asked.
 */
export function risksAccepted(
  { spec }: ClusterVersionView,
  update: ConditionalUpdate | undefined,
): readonly string[] {
  const accepted = new Set((spec.desiredUpdate?.acceptRisks ?? []).map(({ name }) => name));
  const named = (update?.risks ?? []).map(({ name }) => name).filter((name) => accepted.has(name));
  const said = update?.conditions?.find(({ type }) => type === "Recommended");
  if (update === undefined || said === undefined || named.length === 0) return [];
  if (said.status === "True") return said.reason === "AllExposedRisksAccepted" ? named.toSorted() : [];
  const one = said.status === "False" && said.reason !== undefined && accepted.has(said.reason);
  if (one) return [said.reason ?? ""];
  return said.status === "False" && named.length === update.risks.length ? named.toSorted() : [];
}

/** The text of accepted risks in the history; undefined where there are none. */
export const acceptedRisksText = (image: string, risks: readonly string[]): string | undefined =>
  risks.length === 0
    ? undefined
    : `The target release ${image} is exposed to the risks [${risks.join(",")}] which were all explicitly accepted by the cluster administrator.`;
