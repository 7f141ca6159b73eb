import { ReveilleError } from "../../errors.ts";
import type { ClusterReference } from "../cluster-names.ts";
import type { Standing } from "./cluster-secret.ts";

/** One of other clusters has said nothing for a while, and is being asked whether it is there: who needs it comes back. */
export class ClusterSlowError extends ReveilleError {
  readonly reference: ClusterReference;
  constructor(reference: ClusterReference) {
    super(
      "CLUSTER_SLOW",
      `The cluster ${reference.slice(1)} has not answered another run yet: it is asked whether it is there`,
    );
    this.reference = reference;
  }
}

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
