import { hash } from "node:crypto";
import { later, type Obj, type Time, timeOf, toWholeSeconds } from "../../../../shared/function/index.ts";
import type { ClusterStackRelease, ReleaseConditionType, ReleaseStatus } from "../../kinds/index.ts";
import type { Opening } from "../../ports/releases/index.ts";
import { faultText, namesContent } from "../assets/index.ts";
import { bad, good, storedVerdicts, type Verdict } from "../conditions/index.ts";
import { isClosed } from "../source/index.ts";
import type { ReleaseWorld } from "./world.ts";

type Type = Exclude<ReleaseConditionType, "Ready">;
type Release = Obj<typeof ClusterStackRelease>;

/** The state of a release's assets, as conditions and fields of its status. */
export interface Download {
  readonly verdicts: readonly Verdict<Type>[];
  readonly fields: Pick<
    ReleaseStatus,
    "kubernetesVersion" | "digest" | "publishedAt" | "attempts" | "nextTry"
  >;
  /** The faults of the release itself, for people. */
  readonly faults: string | undefined;
}

const [DOWNLOADED, CLIENT] = ["ClusterStackReleaseDownloaded", "AssetsClientAPIAvailable"] as const;
/** A release that is not there, or is wrong, is looked at again after that time unless somebody tells of it. */
const SLOW = "10m";
const [FIRST_SECONDS, MOST_SECONDS] = [30, 600];

/** True where objects of the release may stand: its content is settled then. */
const isPinned = (stored: ReleaseStatus | undefined): boolean => (stored?.resources?.length ?? 0) > 0;
/** True where all objects of the release stand. */
export const isApplied = (stored: ReleaseStatus | undefined): boolean =>
  stored?.conditions?.some(({ type, status }) => type === "HelmChartApplied" && status === "True") === true;

/** Judges what came of the question for the assets. */
export function downloadOf(self: Release, world: ReleaseWorld, now: Time): Download {
  const { name, opening, assets, faults } = world;
  const { status: stored } = self;
  const kept = keptFields(stored);
  if (name === undefined)
    return wrong(
      kept,
      `its name is no tag of a release, PROVIDER-NAME-MAJOR-MINOR-VERSION: ${self.metadata.name}`,
    );
  if (opening === undefined)
    return {
      verdicts: storedVerdicts(stored?.conditions, [DOWNLOADED, CLIENT]),
      fields: kept,
      faults: undefined,
    };
  if (opening.state === "not due")
    return {
      verdicts: storedVerdicts(stored?.conditions, [DOWNLOADED, CLIENT]),
      fields: { ...kept, ...storedRetry(stored) },
      faults: undefined,
    };
  if (opening.state === "opened" && assets !== undefined) {
    const { digest, publishedAt } = opening.release;
    if (isPinned(stored) && stored?.digest !== undefined && !namesContent(stored.digest, opening.release))
      return wrong(
        { ...kept, ...retryOf(self, opening, now) },
        `its content is another than the one that was applied, ${digest} in place of ${stored.digest}: publish a change as a new version`,
      );
    return {
      verdicts: [good(DOWNLOADED), good(CLIENT)],
      fields: {
        digest,
        kubernetesVersion: assets.metadata.kubernetes,
        ...(publishedAt !== undefined && { publishedAt: toWholeSeconds(publishedAt) }),
      },
      faults: undefined,
    };
  }
  const fields = { ...kept, ...(isWithoutCredentials(opening) ? {} : retryOf(self, opening, now)) };
  // An applied release stands by itself: a source that is away, or has let go of it, takes nothing from Clusters.
  if (isApplied(stored))
    return { verdicts: storedVerdicts(stored?.conditions, [DOWNLOADED, CLIENT]), fields, faults: undefined };
  if (opening.state === "opened") return wrong(fields, faults.map(faultText).join("; "));
  return { verdicts: failureVerdicts(opening, fields), fields, faults: undefined };
}

type Fields = Download["fields"];
const wrong = (fields: Fields, message: string): Download => ({
  verdicts: [bad(DOWNLOADED, "Error", "IssueWithReleaseAssets", message), good(CLIENT)],
  fields,
  faults: message,
});

function failureVerdicts(
  opening: Exclude<Opening, { readonly state: "opened" | "not due" }>,
  { attempts = 1, nextTry }: Fields,
): readonly Verdict<Type>[] {
  const message =
    nextTry === undefined
      ? opening.message
      : `${opening.message}; attempt ${attempts}, the next one at ${nextTry}`;
  if (opening.state !== "failed")
    return [bad(DOWNLOADED, "Error", "IssueWithReleaseAssets", message), good(CLIENT)];
  const missing = bad(DOWNLOADED, "Info", "ReleaseAssetsNotDownloadedYet", message);
  return isClosed(opening)
    ? [missing, bad(CLIENT, "Error", "FailedCreateAssetsClient", message)]
    : [missing, good(CLIENT)];
}

const keptFields = (stored: ReleaseStatus | undefined): Fields => ({
  ...(stored?.kubernetesVersion !== undefined && { kubernetesVersion: stored.kubernetesVersion }),
  ...(stored?.digest !== undefined && isPinned(stored) && { digest: stored.digest }),
  ...(stored?.publishedAt !== undefined && { publishedAt: stored.publishedAt }),
});
const storedRetry = (stored: ReleaseStatus | undefined): Fields => ({
  ...(stored?.attempts !== undefined && { attempts: stored.attempts }),
  ...(stored?.nextTry !== undefined && { nextTry: stored.nextTry }),
});

/** The number of the attempt that failed, and the time of the next. Until that has come it is the same attempt. */
function retryOf({ status, metadata }: Release, opening: Opening, now: Time): Fields {
  const isEarly = status?.nextTry !== undefined && now < status.nextTry;
  if (isEarly && !isFailed(opening)) return storedRetry(status);
  const attempts = (status?.attempts ?? 0) + 1;
  if (isFailed(opening) && opening.notBefore !== undefined && opening.notBefore > now)
    return { attempts, nextTry: wholeSecondsAfter(opening.notBefore) };
  if (!isFailed(opening)) return { attempts, nextTry: wholeSecondsAfter(later(now, SLOW)) };
  const seconds = Math.min(MOST_SECONDS, FIRST_SECONDS * 2 ** Math.min(attempts - 1, 10));
  const share =
    Number.parseInt(hash("sha256", `${metadata.uid} ${attempts}`, "hex").slice(0, 4), 16) / 0xffff;
  return {
    attempts,
    nextTry: wholeSecondsAfter(timeOf(Date.parse(now) + seconds * (0.75 + share / 2) * 1000)),
  };
}
const isFailed = (opening: Opening): opening is Extract<Opening, { readonly state: "failed" }> =>
  opening.state === "failed";
/** True where the source was not asked at all: a Secret's change leads to the next try, not time. */
const isWithoutCredentials = (opening: Opening): boolean =>
  isFailed(opening) && opening.reason === "no credentials";
const wholeSecondsAfter = (time: Time): Time =>
  toWholeSeconds(timeOf(Math.ceil(Date.parse(time) / 1000) * 1000));
