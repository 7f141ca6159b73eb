/** The failure that stopped a plan. */
export interface Fatal {
  readonly reason: string;
  readonly message: string;
}

/** A Kubernetes Event for people. `of` tells two of the same words apart: the uid of the run. */
export interface Note {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly of: string;
}

export const planStarted = (plan: string, uid: string): Note => ({
  type: "Normal",
  reason: "PlanStarted",
  message: `Execution of plan ${plan} started`,
  of: uid,
});

export const planFinished = (plan: string, uid: string, status: "COMPLETE" | "FATAL_ERROR"): Note => ({
  type: status === "COMPLETE" ? "Normal" : "Warning",
  reason: "PlanFinished",
  message: `Execution of plan ${plan} finished with status ${status}`,
  of: uid,
});

export const stoppedBy = ({ reason, message }: Fatal, uid: string): Note => ({
  type: "Warning",
  reason,
  message,
  of: uid,
});

export const versionMissing = (version: string): Note => ({
  type: "Warning",
  reason: "InvalidOperatorVersion",
  message: `OperatorVersion ${version} does not exist: nothing is done until it does`,
  of: version,
});

export const versionChanged = (version: string, uid: string, generation: number): Note => ({
  type: "Warning",
  reason: "OperatorVersionChanged",
  message: `OperatorVersion ${version} changed while plan ran with it: the rest of the run goes by the new one`,
  of: `${uid} ${generation}`,
});

/** An object of a template was applied in another version than the template says. */
export const versionReplaced = (
  object: string,
  template: string | undefined,
  { from, to }: { readonly from: string; readonly to: string },
  uid: string,
): Note => ({
  type: "Warning",
  reason: "ObsoleteAPIVersion",
  message: `${object}${template === undefined ? "" : ` of template ${template}`}: the API server no longer knows it of ${from}, so it is applied as ${to}`,
  of: uid,
});

export const refusedBecause = (reason: string, message: string, generation: number): Note => ({
  type: "Warning",
  reason,
  message,
  of: String(generation),
});
