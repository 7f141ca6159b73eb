import type { ClusterOperator, ClusterVersion } from "../../kinds/index.ts";
import type { PayloadObject } from "../../kinds/payload-object.ts";
import type { LoadedPayload, PayloadLook, UnloadedPayload } from "../payload/catalog.ts";
import type { Capabilities, Verdict } from "../release/index.ts";
import type { Decision } from "./candidate.ts";
import type { Look } from "./look.ts";
import type { Candidate, Situation } from "./situation.ts";
import type { SyncWork } from "./work.ts";
import type { WorkRecord } from "./work-record.ts";

/** The knowledge of every pass. */
export interface Known {
  readonly self: ClusterVersion;
  readonly situation: Situation;
  readonly operators: readonly ClusterOperator[];
  /** The record as it lies in the cluster. */
  readonly stored: WorkRecord | undefined;
  readonly capabilities: Capabilities;
}

/** The world of a pass: one of these, told by the objects that were read. */
export type World =
  /** Another ClusterVersion than the one that counts. */
  | { readonly state: "not ours" }
  /** Nobody says which release the cluster is to have. */
  | (Known & { readonly state: "no release" })
  /** A release is asked for, and the status does not tell yet that it is looked at. */
  | (Known & { readonly state: "announcing"; readonly candidate: Candidate })
  | (Known & { readonly state: "accepting"; readonly decision: Extract<Decision, { accepted: true }> })
  /** The first release cannot be had, so there is nothing to keep to. */
  | (Known & { readonly state: "refused"; readonly candidate: Candidate; readonly said: Verdict })
  /** The payload of the release that is applied cannot be had now. */
  | (Known & {
      readonly state: "unreadable";
      readonly look: UnloadedPayload;
      readonly refused: Verdict | undefined;
    })
  | (Known & {
      readonly state: "working";
      readonly current: LoadedPayload;
      readonly work: SyncWork;
      readonly look: Look;
      /** The objects that were read, for the writes that rest on them. */
      readonly objects: ReadonlyMap<number, PayloadObject>;
      /** The reason why another release that is asked for is not taken. */
      readonly refused: Verdict | undefined;
    });
export type Working = Extract<World, { state: "working" }>;
export type { PayloadLook };
