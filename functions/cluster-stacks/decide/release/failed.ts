import type { Obj, Time } from "../../../../shared/function/index.ts";
import type { ClusterStackRelease, ReleaseStatus } from "../../kinds/index.ts";
import { bad, conditionsFrom, storedVerdicts } from "../conditions/index.ts";

const KEPT = [
  "ClusterStackReleaseDownloaded",
  "AssetsClientAPIAvailable",
  "ProviderClusterStackReleaseReady",
] as const;

/** The status of a release whose run failed with an error that nobody expected. */
export const failedRelease = (
  { status }: Obj<typeof ClusterStackRelease>,
  message: string,
  now: Time,
): ReleaseStatus => ({
  ...status,
  ready: false,
  conditions: conditionsFrom(
    [
      ...storedVerdicts(status?.conditions, KEPT),
      bad("HelmChartApplied", "Error", "FailedToApplyObjects", message),
    ],
    status?.conditions,
    now,
  ),
});
