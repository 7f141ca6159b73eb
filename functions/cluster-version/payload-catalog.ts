import { setImmediate as nextTurn } from "node:timers/promises";
import type { Payloads, Verification } from "../../shared/ports/payloads/index.ts";
import type { Configuration } from "./configuration.ts";
import {
  included,
  type Payload,
  type PayloadContents,
  PayloadError,
  readingContents,
} from "./payload/index.ts";

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

/** What of the cluster decides which manifests belong to it. */
export type ClusterShape = Pick<Configuration, "profile" | "excludeIdentifier"> & {
  readonly featureSet: string;
  readonly featureGates: readonly string[];
};

/** Parsing takes longer than all else of a pass: the last ones are kept. A hint, losing it costs time. */
const parsed = new Map<string, Payload>();
const KEPT = 3;

/** Reads the payload of an image. What is wrong with it is an answer, not an error. */
export async function lookUpPayload(
  payloads: Payloads,
  image: string,
  shape: ClusterShape,
): Promise<PayloadLook> {
  try {
    const bundle = await payloads.load(image);
    const key = JSON.stringify([image, bundle.fingerprint, shape]);
    const payload = parsed.get(key) ?? (await parse(await bundle.files(), image, shape));
    remember(key, payload);
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

type Files = Parameters<typeof readingContents>[0];
async function parse(files: Files, image: string, shape: ClusterShape): Promise<Payload> {
  const { profile, excludeIdentifier, featureSet, featureGates } = shape;
  return included(await contentsOf(files, image, profile), {
    profile,
    featureSet,
    featureGates: new Set(featureGates),
    ...(excludeIdentifier !== "" && { excludeIdentifier }),
  });
}

/** A file a turn of the event loop: other keys of this host are not held up. */
async function contentsOf(files: Files, image: string, profile: string): Promise<PayloadContents> {
  const reading = readingContents(files, { image, profile });
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

function remember(key: string, payload: Payload): void {
  parsed.delete(key);
  parsed.set(key, payload);
  for (const oldest of parsed.keys()) {
    if (parsed.size <= KEPT) return;
    parsed.delete(oldest);
  }
}
