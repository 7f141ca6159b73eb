/** The origin of an object: the step of a run that applies it. */
export interface Origin {
  /** The operator's name. */
  readonly operator: string;
  /** The version of the operator, as its package says it. */
  readonly operatorVersion: string;
  readonly instance: string;
  readonly namespace: string;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  /** The uid of the run. */
  readonly planUid: string;
}
