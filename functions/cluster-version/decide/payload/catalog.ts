import type { Payloads, Verification } from "../../../../shared/ports/payloads/index.ts";
import { type Payload, PayloadError, readPayload } from "./index.ts";

/** A payload that is there, and how far its image is to be trusted. */
export interface LoadedPayload {
  readonly state: "loaded";
  readonly payload: Payload;
  readonly verification: Verification;
}
/** One that is not: which step failed, and the words for it. */
export interface UnloadedPayload {
  readonly state: "failed";
  readonly step: "RetrievePayload" | "LoadPayload";
  readonly reason: "UpdatePayloadRetrievalFailed" | "UpdatePayloadIntegrity";
  readonly message: string;
}
export type PayloadLook = LoadedPayload | UnloadedPayload;

/** The properties of the cluster that decide which manifests belong to it. */
export interface ClusterShape {
  readonly profile: string;
  readonly excludeIdentifier: string;
  readonly featureSet: string;
  readonly featureGates: readonly string[];
}

/** Reads the payload of an image. What is wrong with it is an answer, not an error. */
export async function lookUpPayload(
  payloads: Payloads,
  image: string,
  { profile, excludeIdentifier, featureSet, featureGates }: ClusterShape,
): Promise<PayloadLook> {
  try {
    const bundle = await payloads.load(image);
    const payload = await readPayload(bundle, {
      profile,
      featureSet,
      featureGates: new Set(featureGates),
      ...(excludeIdentifier !== "" && { excludeIdentifier }),
    });
    return { state: "loaded", payload, verification: bundle.verification };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const invalid = error instanceof PayloadError;
    return {
      state: "failed",
      step: invalid ? "LoadPayload" : "RetrievePayload",
      reason: invalid ? "UpdatePayloadIntegrity" : "UpdatePayloadRetrievalFailed",
      message: error.message,
    };
  }
}
