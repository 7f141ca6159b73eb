import { type Effects, later, type Time, type Wait } from "../../../../shared/function/index.ts";
import type { ModuleStatus } from "../../kinds/index.ts";
import type { Description } from "../../ports/components/index.ts";

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

const ASK_AGAIN = "30s";
/** The time after which a registry is asked again for what it did not have, or had in a form that cannot be read: it tells nobody. */
const LOOK_AGAIN = "5m";
/** The time at which a component that could not be described is asked for again, not before the one that its registry names. */
export const askedAgain = (
  description: Exclude<Description, { readonly state: "described" }>,
  now: Time,
): Readonly<Record<string, Time>> => ({
  component:
    description.state === "failed"
      ? (description.notBefore ?? later(now, ASK_AGAIN))
      : later(now, LOOK_AGAIN),
});
