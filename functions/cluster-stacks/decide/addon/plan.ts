import type { AddonTarget } from "../../kinds/index.ts";
import type { Assets, ChartFiles, StageCondition } from "../assets/index.ts";
import { hasTheseAddons, type StoredAddon, targetFor, type WantedClass } from "./target.ts";

/** A stage of a target. The one chart of a single-stage release is a stage without conditions. */
export interface PlannedStage {
  readonly name: string;
  readonly action: "apply" | "delete";
  readonly chart: ChartFiles;
  /** The template of its values; absent: the chart has its own alone. */
  readonly values: ValuesTemplate | undefined;
  readonly waitForPreCondition?: StageCondition | undefined;
  readonly waitForPostCondition?: StageCondition | undefined;
}

/** A values template and the file that it stands in, which faults name. */
export interface ValuesTemplate {
  readonly file: string;
  readonly text: string;
}

/** The work that leads to a class, as it follows from what is stored and what the release holds. */
export interface Plan {
  readonly target: AddonTarget;
  /** Without any, the addons that stand are those of the target. */
  readonly stages: readonly PlannedStage[];
}

/** The reason why nothing can be planned yet, in words. */
export interface NoPlan {
  readonly waits: string;
}

/** The stage of a release that has but one. */
const ONLY = "cluster-addon";

/** Plans the work that leads to the class. */
export function planOf(self: StoredAddon, wanted: WantedClass, assets: Assets): Plan | NoPlan {
  const { addons } = assets;
  if (addons.form === "multi-stage") return { waits: "addons in stages are not installed yet" };
  const target = targetFor(self, wanted, assets);
  if (hasTheseAddons(self, wanted, assets)) return { target, stages: [] };
  const { chart, valuesTemplate } = addons;
  const values =
    valuesTemplate === undefined ? undefined : { file: "cluster-addon-values.yaml", text: valuesTemplate };
  return { target, stages: [{ name: ONLY, action: "apply", chart, values }] };
}
