import type { Verdict } from "./types.ts";

/** The release of a condition; the version may be unknown. */
export interface Named {
  readonly version: string;
  readonly image: string;
  readonly architecture?: string | undefined;
}
const quoted = (text: string): string => JSON.stringify(text);
const named = ({ version, image }: Named): string => `version=${quoted(version)} image=${quoted(image)}`;

/** The condition ReleaseAccepted, step by step (4.7, 4.8). The reason is the step that failed. */
export const releaseAccepted = {
  retrieving: (release: Named): Verdict => ({
    status: "Unknown",
    reason: "RetrievePayload",
    message: `Retrieving and verifying payload ${named(release)}`,
  }),
  retrieveFailed: (release: Named, cause: string): Verdict => ({
    status: "False",
    reason: "RetrievePayload",
    message: `Retrieving payload failed ${named(release)} failure=${cause}`,
  }),
  loadFailed: (release: Named, cause: string): Verdict => ({
    status: "False",
    reason: "LoadPayload",
    message: `Loading payload failed ${named(release)} failure=${cause}`,
  }),
  versionDiffers: (release: Named, actual: string): Verdict => ({
    status: "False",
    reason: "VerifyPayloadVersion",
    message: `Verifying payload failed ${named(release)} failure=release image version ${actual} does not match the expected upstream version ${release.version}`,
  }),
  preconditionsFailed: (release: Named, cause: string): Verdict => ({
    status: "False",
    reason: "PreconditionChecks",
    message: `Preconditions failed for payload loaded ${named(release)}: ${cause}`,
  }),
  loaded: (release: Named): Verdict => ({
    status: "True",
    reason: "PayloadLoaded",
    message: `Payload loaded ${named(release)} architecture=${quoted(release.architecture ?? "")}`,
  }),
};

/** The verification of a payload's signature. */
export type Verification =
  | { readonly state: "verified" }
  /** Nobody looked: no verifier is set up. */
  | { readonly state: "unverified" }
  | { readonly state: "failed"; readonly cause: string };

export type Acceptance =
  | { readonly accepted: true; readonly verified: boolean; readonly acceptedRisk?: string }
  /** `ImageVerificationFailed`; the condition's text is `releaseAccepted.retrieveFailed(release, message)`. */
  | { readonly accepted: false; readonly reason: "ImageVerificationFailed"; readonly message: string };

/** The acceptance of a payload by its signature. A local payload is the controller's own and needs none. */
export function acceptSignature(
  release: Named,
  verification: Verification,
  options: { readonly force: boolean; readonly local: boolean; readonly required?: boolean },
): Acceptance {
  if (options.local) return { accepted: true, verified: verification.state === "verified" };
  if (verification.state === "verified") return { accepted: true, verified: true };
  if (verification.state === "unverified" && options.required !== true)
    return { accepted: true, verified: false };
  const cause =
    verification.state === "failed" ? verification.cause : "no verifier is set up to look at its signature";
  if (!options.force)
    return {
      accepted: false,
      reason: "ImageVerificationFailed",
      message: `The update cannot be verified: ${cause}`,
    };
  return {
    accepted: true,
    verified: false,
    acceptedRisk: `Target release ${named(release)} cannot be verified, but continuing anyway because the update was forced: ${cause}`,
  };
}
