import { parseVersion } from "../../../../shared/versions.ts";
import { installedVersion } from "./installed-version.ts";
import type { HistoryEntry } from "./types.ts";
import type { UpgradeRisk } from "./upgrade-risk.ts";

const GATE = /^ack-([4-5][.][0-9]{1,})-[^-]/;

/**
 * The gates for the minor version that the cluster is at which no administrator has opened. No ConfigMap of gates means no
 * gates. A gate whose name cannot be read, or that says nothing, stands closed for every version: it hides something.
 */
export function adminAckRisks(
  history: readonly HistoryEntry[] | undefined,
  gates: Readonly<Record<string, string>> | undefined,
  acks: Readonly<Record<string, string>> | undefined,
): readonly UpgradeRisk[] {
  const current = parseVersion(installedVersion(history));
  if (current === undefined) return [];
  return Object.entries(gates ?? {})
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([gate, text]) => {
      const minor = GATE.exec(gate)?.[1];
      const risk = (message: string): UpgradeRisk[] => [{ name: `AdminAck-${gate}`, message }];
      if (minor === undefined)
        return risk(
          `admin-gates configmap gate "${gate}" is invalid: admin-gates configmap gate name ${gate} has invalid format; must comply with "${GATE.source}"`,
        );
      if (minor !== `${current.major}.${current.minor}`) return [];
      if (text === "") return risk(`admin-gates configmap gate ${gate} must contain a non-empty value.`);
      return acks?.[gate] === "true" ? [] : risk(text);
    });
}
