import type { Addons, Assets } from "../assets/index.ts";
import type { NoPlan, Plan, PlannedStage } from "./planned.ts";
import { plannedStages, stagedPlan } from "./staged-plan.ts";
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
  return { target, stages: [onlyStage(addons)] };
}

function onlyStage({
  chart,
  valuesTemplate,
}: Extract<Addons, { readonly form: "single-stage" }>): PlannedStage {
  const values =
    valuesTemplate === undefined ? undefined : { file: "cluster-addon-values.yaml", text: valuesTemplate };
  return { name: ONLY, action: "apply", chart, values };
}

/**
 * The stages by which objects of a release may have come, each chart once: those of the first installation and of an upgrade, since
 * upstream's annotation says `created` after an upgrade too.
 */
export function bringingStages({ addons }: Pick<Assets, "addons">): readonly PlannedStage[] {
  if (addons.form === "single-stage") return [onlyStage(addons)];
  const stages = (["AfterControlPlaneInitialized", "BeforeClusterUpgrade"] as const)
    .flatMap((hook) => plannedStages(addons, hook))
    .filter(({ action }) => action === "apply");
  return [...new Map(stages.map((stage) => [stage.name, stage])).values()];
}
