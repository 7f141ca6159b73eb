import type { Obj, Time } from "../../../../shared/function/index.ts";
import type { AddonConditionType, AddonStatus, ClusterAddon, StageStatus } from "../../kinds/index.ts";
import { bad, conditionsFrom, good, storedVerdicts } from "../conditions/index.ts";
import type { AddonVerdict } from "./world.ts";

type Type = Exclude<AddonConditionType, "Ready">;

const TYPES: readonly Type[] = [
  ...(["ClusterReady", "ClusterStackReleaseDownloaded", "AssetsClientAPIAvailable"] as const),
  ...(["ClusterAddonConfigValidated", "HelmChartFound", "HelmChartTemplated", "EvaluatedCEL"] as const),
  ...(["HelmChartApplied", "HelmChartDeleted", "HookServerReady"] as const),
];

/** The types that tell of the work for one target: another target begins without them. */
export const OF_TARGET: readonly Type[] = [
  ...([
    "HelmChartTemplated",
    "EvaluatedCEL",
    "HelmChartApplied",
    "HelmChartDeleted",
    "HookServerReady",
  ] as const),
];

/** The verdicts about a release whose assets were read and judged. */
export const RELEASE_READ: readonly AddonVerdict[] = [
  ...(["ClusterStackReleaseDownloaded", "AssetsClientAPIAvailable"] as const),
  ...(["ClusterAddonConfigValidated", "HelmChartFound"] as const),
].map((type) => good(type));

/** The verdict about objects that are yet to be applied. */
export const ongoing = (message: string): AddonVerdict =>
  bad("HelmChartApplied", "Info", "FailedToApplyObjects", message);

/**
 * The verdicts about addons that stand: what was said about work that failed once, or was taken back before it began, holds no more.
 */
export function overcome(
  { status }: Pick<Obj<typeof ClusterAddon>, "status">,
  verdicts: readonly AddonVerdict[],
): Pick<Said, "verdicts" | "forget"> {
  const said = new Set<string>(verdicts.map(({ type }) => type));
  const wrong = OF_TARGET.filter(
    (type) =>
      !said.has(type) &&
      status?.conditions?.some((one) => one.type === type && one.status !== "True") === true,
  );
  return {
    verdicts: [
      ...verdicts,
      ...(wrong.includes("HelmChartApplied") ? [good("HelmChartApplied" as const)] : []),
    ],
    forget: wrong,
  };
}

/** The changes of a status; the rest of it stays as it is. */
export interface Said {
  readonly verdicts: readonly AddonVerdict[];
  /** The types of which nothing is known any more. */
  readonly forget?: readonly Type[];
  readonly fields?: Partial<Omit<AddonStatus, "conditions">>;
}

/** The status of addons with these changes. */
export function statusOf(
  { status: stored }: Pick<Obj<typeof ClusterAddon>, "status">,
  { verdicts, forget = [], fields = {} }: Said,
  now: Time,
): AddonStatus {
  const said = new Set<string>([...forget, ...verdicts.map(({ type }) => type)]);
  const kept = storedVerdicts(stored?.conditions, TYPES).filter(({ type }) => !said.has(type));
  return {
    ready: false,
    ...stored,
    ...fields,
    conditions: conditionsFrom([...kept, ...verdicts], stored?.conditions, now),
  };
}

/** The stages with changes of one of them. */
export const withStage = (
  stages: readonly StageStatus[] | undefined,
  index: number,
  change: StageStatus,
): StageStatus[] =>
  (stages ?? []).map((stage, at) => {
    if (at !== index) return stage;
    const { message: _, ...before } = stage;
    return { ...before, ...change };
  });

/** The status of addons whose run failed with an error that nobody expected. */
export const failedAddon = (
  self: Pick<Obj<typeof ClusterAddon>, "status">,
  message: string,
  now: Time,
): AddonStatus =>
  statusOf(self, { verdicts: [bad("HelmChartApplied", "Error", "FailedToApplyObjects", message)] }, now);
