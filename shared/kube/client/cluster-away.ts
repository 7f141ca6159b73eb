import { ReveilleError } from "../../errors.ts";
import type { ClusterReference } from "../cluster-names.ts";
import type { Standing } from "./cluster-secret.ts";

/** One of other clusters cannot be used now: who needs it waits for its connection. */
export class ClusterAwayError extends ReveilleError {
  readonly reference: ClusterReference;
  readonly state: Standing["state"];
  constructor(reference: ClusterReference, { state, reason }: Standing, cause?: unknown) {
    super("CLUSTER_AWAY", `The cluster ${reference.slice(1)} cannot be used: ${reason}`, { cause });
    this.reference = reference;
    this.state = state;
  }
}
