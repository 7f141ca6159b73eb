import type { Assets } from "../assets/index.ts";
import type { NoPlan, Plan } from "./planned.ts";
import { stagedPlan } from "./staged-plan.ts";
import { hasTheseAddons, isSameTarget, type StoredAddon, targetFor, type WantedClass } from "./target.ts";

export type { NoPlan, Plan, PlannedStage, ValuesTemplate } from "./planned.ts";

/** The stage of a release that has but one. */
const ONLY = "cluster-addon";

/**
 * Plans the work that leads to the class.
 * @param running the version of Kubernetes that the control plane is to have now, where it is known
 */
export function planOf(
  self: StoredAddon,
  wanted: WantedClass,
  assets: Assets,
  running?: string,
): Plan | NoPlan {
  const { addons } = assets;
  if (addons.form === "multi-stage") return stagedPlan(self, wanted, { ...assets, addons }, running);
  const target = targetFor(self, wanted, assets);
  const isBegun = isSameTarget(self.status?.target, target);
  if (!isBegun && hasTheseAddons(self, wanted, assets)) return { target, stages: [] };
  const { chart, valuesTemplate } = addons;
  const values =
    valuesTemplate === undefined ? undefined : { file: "cluster-addon-values.yaml", text: valuesTemplate };
  return { target, stages: [{ name: ONLY, action: "apply", chart, values }] };
}
