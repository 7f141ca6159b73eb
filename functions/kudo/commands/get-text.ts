import { type Branch, treeText } from "../../../shared/text.ts";
import type { AnInstance, AnOperator, AVersion } from "./read.ts";

/** The kinds that `get` lists. */
export const LISTED = ["instances", "operators", "operatorversions", "all"] as const;
export type Listed = (typeof LISTED)[number];

/** The objects of a namespace that `get` shows. */
export interface Shown {
  readonly operators: readonly AnOperator[];
  readonly versions: readonly AVersion[];
  readonly instances: readonly AnInstance[];
}

const named = ({ metadata }: AnOperator | AVersion | AnInstance): Branch => ({ text: metadata.name });

/** The Instances with how they stand. */
const instanceBranch = ({ metadata, status }: AnInstance): Branch => {
  const { activePlanName = "", status: state } = status?.aggregatedStatus ?? {};
  const stands = [activePlanName, state].filter((part) => part !== undefined && part !== "").join(" ");
  return { text: stands === "" ? metadata.name : `${metadata.name} [${stands}]` };
};

/** The objects as upstream draws them: operators, below them their versions, below those their Instances. */
export function getText(what: Listed, { operators, versions, instances }: Shown, namespace: string): string {
  if (what === "all")
    return [
      `List of current installed operators including versions and instances in namespace "${namespace}":`,
      treeText(
        operators.map((operator) => ({
          text: operator.metadata.name,
          below: versions
            .filter(({ spec }) => spec?.operator?.name === operator.metadata.name)
            .map((version) => ({
              text: version.metadata.name,
              below: instances
                .filter(({ spec }) => spec?.operatorVersion?.name === version.metadata.name)
                .map(instanceBranch),
            })),
        })),
      ),
    ].join("\n");
  const branches = {
    instances: () => instances.map(instanceBranch),
    operators: () => operators.map(named),
    operatorversions: () => versions.map(named),
  }[what]();
  return [`List of current installed ${what} in namespace "${namespace}":`, treeText(branches)].join("\n");
}
