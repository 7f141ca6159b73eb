import { later, type Time } from "../../../../shared/function/index.ts";
import type { Opening } from "../../ports/releases/index.ts";
import { ADDON_CONFIG, type AssetFault, faultText } from "../assets/index.ts";
import { bad, good } from "../conditions/index.ts";
import { isClosed } from "../source/index.ts";
import type { AddonVerdict } from "./world.ts";

const [DOWNLOADED, CLIENT] = ["ClusterStackReleaseDownloaded", "AssetsClientAPIAvailable"] as const;
/** A source that does not answer is asked again after that time, and a release that is wrong after the other one. */
const [SOON, SLOW] = ["1m", "10m"] as const;

/** The verdicts about assets that could not be had, or are wrong. */
export function assetVerdicts(opening: Opening, faults: readonly AssetFault[]): readonly AddonVerdict[] {
  if (opening.state === "opened") {
    const ofConfig = faults.filter(({ file }) => file === ADDON_CONFIG);
    const others = faults.filter(({ file }) => file !== ADDON_CONFIG);
    const ofConditions = ofConfig.filter(({ reason }) => reason !== undefined);
    const text = (some: readonly AssetFault[]): string => some.map(faultText).join("; ");
    return [
      others.length === 0
        ? good(DOWNLOADED)
        : bad(DOWNLOADED, "Error", "IssueWithReleaseAssets", text(others)),
      good(CLIENT),
      ...(ofConfig.length === 0
        ? []
        : [bad("ClusterAddonConfigValidated", "Error", "ParsingClusterAddonConfigFailed", text(ofConfig))]),
      ...ofConditions
        .slice(0, 1)
        .map(({ reason = "" }) => bad("EvaluatedCEL", "Error", reason, text(ofConditions))),
    ];
  }
  if (opening.state === "absent" || opening.state === "damaged")
    return [bad(DOWNLOADED, "Error", "IssueWithReleaseAssets", opening.message), good(CLIENT)];
  const message = opening.state === "failed" ? opening.message : "its source was not asked yet";
  return [
    bad(DOWNLOADED, "Info", "ReleaseAssetsNotDownloadedYet", message),
    opening.state === "failed" && isClosed(opening)
      ? bad(CLIENT, "Error", "FailedCreateAssetsClient", message)
      : good(CLIENT),
  ];
}

/** The time at which the source is asked again. */
export function nextAsking(opening: Opening, now: Time): Time {
  const isWaiting = opening.state === "failed" || opening.state === "not due";
  const soon = later(now, isWaiting ? SOON : SLOW);
  const notBefore = opening.state === "failed" ? opening.notBefore : undefined;
  return notBefore !== undefined && Date.parse(notBefore) > Date.parse(soon) ? notBefore : soon;
}
