import type { Effects, Time, Wait } from "../../../../shared/function/index.ts";
import type { ModuleStatus } from "../../kinds/index.ts";

/** The state of a module that each cluster gets. */
export type MandatoryState = Pick<ModuleStatus, "name" | "state" | "message">;

/** The decision about one module of a Kyma. */
export interface ModulePlan {
  readonly module: string;
  /** Undefined: it is not shown, as modules that each cluster gets. */
  readonly status: ModuleStatus | undefined;
  /** The state of a module that each cluster gets: all of them are summed up in one condition. */
  readonly mandatory?: MandatoryState | undefined;
  readonly effects: Effects<"Manifest">;
  readonly waits: readonly Wait[];
  readonly wakeAt: Readonly<Record<string, Time>>;
  /** True: what is written is only a step on the way. */
  readonly again: boolean;
}
/** A decision: what is not said is nothing. */
export const planFor = (
  module: string,
  status: ModuleStatus | undefined,
  more: Partial<ModulePlan> = {},
): ModulePlan => ({ module, status, effects: [], waits: [], wakeAt: {}, again: false, ...more });

/** The time after which a registry that gave no answer is asked again. */
export const ASK_AGAIN = "30s";
