import type { Addons, Assets, Stage } from "../assets/index.ts";
import { askedIn } from "../hooks/index.ts";
import { dashedText } from "../names/index.ts";
import { momentOf } from "./moment.ts";
import type { NoPlan, Plan, PlannedStage } from "./planned.ts";
import { completedOf, type StoredAddon, targetFor, type WantedClass } from "./target.ts";

type StagedAddons = Extract<Addons, { readonly form: "multi-stage" }>;

/** The file of a chart's folder that holds the template of its values. */
const VALUES = "overwrite.yaml";
/** The annotation that says how the addons came to be what they are, and its value after an upgrade. */
export const STAGE_ANNOTATION = "ClusterAddonStage";

/** Plans the stages that lead to a class whose addons are installed in stages. */
export function stagedPlan(
  self: StoredAddon,
  wanted: WantedClass,
  assets: Assets,
  addons: StagedAddons,
): Plan | NoPlan {
  const { spec, status } = self;
  const { target, stages = [] } = status ?? {};
  const { annotations } = self.metadata;
  const { clusterStack = "", version } = spec ?? {};
  const completed = completedOf(self);
  const moment = momentOf({
    wanted: {
      clusterStack: wanted.class,
      version: dashedText(assets.metadata.addon),
      kubernetesVersion: assets.metadata.kubernetes,
    },
    installed:
      clusterStack === ""
        ? undefined
        : {
            clusterStack,
            version,
            kubernetesVersion:
              completed?.clusterStack === clusterStack ? completed.kubernetesVersion : undefined,
            wasUpgrade: annotations[STAGE_ANNOTATION] === "upgraded",
          },
    controlPlane: undefined,
    asked: askedIn(annotations),
    target,
    isDone: stages.every(({ phase }) => phase === "done"),
  });
  switch (moment.state) {
    case "waits":
      return { waits: moment.message };
    case "same":
      return { target: targetFor(self, wanted, assets), stages: [] };
    case "rests":
      return { target: targetFor(self, wanted, assets, target?.hook), stages: [] };
    case "run":
      return {
        target: targetFor(self, wanted, assets, moment.hook),
        stages: (addons.stages.get(moment.hook) ?? []).map((stage) => planned(stage, addons)),
      };
  }
}

function planned({ name, ...stage }: Stage, { charts }: StagedAddons): PlannedStage {
  const chart = charts.get(name);
  // Assets are judged before: each stage has its chart.
  if (chart === undefined) throw new TypeError(`stage ${name} was judged to have a chart`);
  const values = chart.files.get(VALUES);
  return {
    ...stage,
    name,
    chart,
    values:
      values === undefined
        ? undefined
        : { file: `${name}/${VALUES}`, text: new TextDecoder().decode(values) },
  };
}
