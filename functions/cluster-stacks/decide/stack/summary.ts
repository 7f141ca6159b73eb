import type { Condition, ReleaseSummary } from "../../kinds/index.ts";

/** The states of a release's conditions, and the phase that the first which holds makes of it. */
const PHASES: readonly (readonly [type: string, status: string, phase: string])[] = [
  ["Ready", "True", "done"],
  ["ProviderClusterStackReleaseReady", "True", "applying objects"],
  ["ClusterStackReleaseDownloaded", "True", "provider-specific work"],
  ["ClusterStackReleaseDownloaded", "False", "downloading release assets"],
];

/** One line about a release that is there; `name` is its version with dashes. */
export function summaryOfRelease(name: string, conditions: readonly Condition[] = []): ReleaseSummary {
  const phase = PHASES.find(([type, status]) =>
    conditions.some((condition) => condition.type === type && condition.status === status),
  )?.[2];
  const ready = conditions.find(({ type }) => type === "Ready");
  return {
    name,
    ready: ready?.status === "True",
    phase: phase ?? "",
    ...(ready?.status === "False" && ready.reason !== undefined && { message: ready.reason }),
  };
}

/** The line about a release that was just made, or is about to be. */
export const summaryOfNew = (name: string): ReleaseSummary => ({ name, ready: false, phase: "" });
/** The line about a release that is wanted while one of its name still goes. */
export const summaryOfGoing = (name: string): ReleaseSummary => ({
  name,
  ready: false,
  phase: "waiting for deletion",
});
