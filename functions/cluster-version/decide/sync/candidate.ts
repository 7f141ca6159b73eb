import type { ClusterOperator } from "../../kinds/index.ts";
import type { PayloadLook } from "../payload/catalog.ts";
import type { Release } from "../payload/index.ts";
import {
  acceptedRisks,
  acceptedRisksText,
  acceptSignature,
  type ClusterVersionView,
  checkPreconditions,
  conditionalUpdateTo,
  judged,
  releaseAccepted,
  risksAccepted,
  type StoredCondition,
  type Verdict,
  type Verification,
} from "../release/index.ts";
import { olderThanShown, shownRelease } from "./shown-release.ts";
import type { Candidate } from "./situation.ts";

/** The decision whether the candidate is applied. */
export type Decision =
  | {
      readonly accepted: true;
      readonly said: Verdict;
      readonly release: Release;
      readonly verified: boolean;
      readonly risks: string;
    }
  | { readonly accepted: false; readonly said: Verdict };

/** Judges a candidate whose payload has been looked up: signature, version, preconditions, in this order (4.8). */
export function judge(
  candidate: Candidate,
  look: PayloadLook,
  {
    clusterVersion,
    upgradeable,
    architecture,
    operators,
  }: {
    readonly clusterVersion: ClusterVersionView;
    readonly upgradeable: Verdict | undefined;
    readonly operators: readonly ClusterOperator[];
    /** The architecture of the cluster's machines, as Go names it. */
    readonly architecture: string;
  },
): Decision {
  const refuse = (said: Verdict): Decision => ({ accepted: false, said });
  if (look.state === "failed")
    return refuse(
      look.step === "LoadPayload"
        ? releaseAccepted.loadFailed(candidate, look.message)
        : releaseAccepted.retrieveFailed(candidate, look.message),
    );
  const { force, local } = candidate;
  const signature = acceptSignature(candidate, verificationOf(look), { force, local });
  if (!signature.accepted) return refuse(releaseAccepted.retrieveFailed(candidate, signature.message));
  const { release } = look.payload;
  if (candidate.version !== "" && candidate.version !== release.version)
    return refuse(releaseAccepted.versionDiffers(candidate, release.version));
  // Where a ClusterVersion has no history, the operators tell where its cluster is.
  const isNew = (clusterVersion.status?.history ?? []).length === 0;
  const shown = isNew ? shownRelease(operators, look.payload.manifests) : undefined;
  const preconditions = local
    ? judged(olderThanShown(release.version, shown), force)
    : checkPreconditions(
        {
          clusterVersion: shown === undefined ? clusterVersion : standingAt(clusterVersion, shown.version),
          targetVersion: release.version,
          upgradeable,
        },
        { force, local },
      );
  if (preconditions.blocked)
    return refuse(releaseAccepted.preconditionsFailed(release, preconditions.message));
  return {
    accepted: true,
    said: loadedVerdict(release, architecture),
    release,
    verified: signature.verified,
    risks:
      acceptedRisks(
        signature.acceptedRisk,
        preconditions.message,
        local
          ? undefined
          : acceptedRisksText(
              release.image,
              risksAccepted(clusterVersion, conditionalUpdateTo(clusterVersion, release.version)),
            ),
      ) ?? "",
  };
}

const standingAt = ({ spec, status }: ClusterVersionView, version: string): ClusterVersionView => ({
  spec,
  status: { ...status, desired: { version, image: "" } },
});

/** The verdict on a payload that was loaded. One for a single architecture does not say for which: it is the cluster's. */
export const loadedVerdict = (release: Release, architecture: string): Verdict =>
  releaseAccepted.loaded({ ...release, architecture: release.architecture ?? architecture });

function verificationOf(look: Extract<PayloadLook, { state: "loaded" }>): Verification {
  const { verification } = look;
  if (verification.verdict === "verified") return { state: "verified" };
  return verification.verdict === "failed"
    ? { state: "failed", cause: verification.message }
    : { state: "unverified" };
}

/** True where the stored condition already tells of this candidate: then it need not be announced. */
export const isToldOf = (stored: StoredCondition | undefined, { version, image }: Candidate): boolean =>
  stored?.message?.includes(`image=${JSON.stringify(image)}`) === true &&
  (version === "" || stored.message.includes(`version=${JSON.stringify(version)}`));
