import type { AddonTarget } from "../../kinds/index.ts";
import { type Addons, type Assets, HOOKS, type Hook, STAGE_VALUES, type Stage } from "../assets/index.ts";
import { ASKED_ANNOTATION, askedIn } from "../hooks/index.ts";
import { dashedText } from "../names/index.ts";
import { momentOf } from "./moment.ts";
import type { NoPlan, Plan, PlannedStage } from "./planned.ts";
import { completedOf, type StoredAddon, targetFor, type WantedClass } from "./target.ts";

type StagedAddons = Extract<Addons, { readonly form: "multi-stage" }>;
type StagedAssets = Assets & { readonly addons: StagedAddons };

/** The annotation that says how the addons came to be what they are, and its value after an upgrade. */
export const STAGE_ANNOTATION = "ClusterAddonStage";

/** True where Cluster API has upgraded the Cluster, and what comes after that has not run yet. */
export function isAskedAfterwards({ metadata, status }: StoredAddon, { class: name }: WantedClass): boolean {
  const asked = askedIn(metadata.annotations);
  return (
    asked?.hook === "AfterClusterUpgrade" &&
    asked.clusterStack === name &&
    status?.target?.hook !== asked.hook
  );
}

/** True where the question that is stored is done with, once this target is. */
export function isAnswered({ metadata }: StoredAddon, target: AddonTarget): boolean {
  const asked = askedIn(metadata.annotations);
  const isYetToCome =
    asked?.hook === "AfterClusterUpgrade" &&
    asked.clusterStack === target.clusterStack &&
    target.hook !== undefined &&
    target.hook !== asked.hook;
  return !isYetToCome && ASKED_ANNOTATION in metadata.annotations;
}

/** Plans the stages that lead to a class whose addons are installed in stages. */
export function stagedPlan(
  self: StoredAddon,
  wanted: WantedClass,
  assets: StagedAssets,
  running: string | undefined,
): Plan | NoPlan {
  const { spec, status } = self;
  const { target, stages = [] } = status ?? {};
  const { annotations } = self.metadata;
  const { clusterStack = "", version } = spec ?? {};
  const completed = completedOf(self);
  // Once its stages are done, what they leave over is yet to go: until then the spec says what the work began from.
  const isLeaving = target?.clusterStack !== clusterStack && target?.from?.clusterStack === clusterStack;
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
    controlPlane: running,
    asked: askedIn(annotations),
    target,
    isDone: !isLeaving && stages.every(({ phase }) => phase === "done"),
    isReplaced: target?.clusterStack === wanted.class && target.digest !== assets.digest,
  });
  switch (moment.state) {
    case "waits":
      return { waits: moment.message, kubernetesVersion: assets.metadata.kubernetes };
    case "same":
      return stagesOf(self, wanted, assets, undefined);
    case "rests":
      // All is done, and only the status is to say so.
      return stagesOf(
        self,
        wanted,
        assets,
        HOOKS.find((hook) => target?.clusterStack === wanted.class && target.hook === hook),
      );
    case "run":
      return stagesOf(self, wanted, assets, moment.hook);
  }
}

function stagesOf(
  self: StoredAddon,
  wanted: WantedClass,
  assets: StagedAssets,
  hook: Hook | undefined,
): Plan {
  const stages = hook === undefined ? [] : plannedStages(assets.addons, hook);
  return {
    target: targetFor(self, wanted, assets, hook),
    stages,
    // Most releases have nothing to do after an upgrade: how what stands was rendered is known still.
    ...(hook === "AfterClusterUpgrade" && stages.length === 0 && { keepsStages: true }),
  };
}

/** The stages of a moment, with their charts. */
export const plannedStages = (addons: StagedAddons, hook: Hook): readonly PlannedStage[] =>
  (addons.stages.get(hook) ?? []).map((stage) => planned(stage, addons));

function planned({ name, ...stage }: Stage, { charts }: StagedAddons): PlannedStage {
  const chart = charts.get(name);
  // Assets are judged before: each stage has its chart.
  if (chart === undefined) throw new TypeError(`stage ${name} was judged to have a chart`);
  const values = chart.files.get(STAGE_VALUES);
  return {
    ...stage,
    name,
    chart,
    values:
      values === undefined
        ? undefined
        : { file: `${name}/${STAGE_VALUES}`, text: new TextDecoder().decode(values) },
  };
}
