import type { AddonTarget } from "../../kinds/index.ts";
import type { ChartFiles, StageCondition } from "../assets/index.ts";

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
  /** True where what is recorded of the stages before stays as it is. */
  readonly keepsStages?: boolean;
}

/** The reason why nothing can be planned yet, in words. */
export interface NoPlan {
  readonly waits: string;
  /** The version of Kubernetes that the class is for. */
  readonly kubernetesVersion: string;
}
