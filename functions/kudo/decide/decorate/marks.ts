export { HERITAGE, HERITAGE_LABEL, INSTANCE_LABEL } from "../../kinds/workloads.ts";

/** The words of upstream's conventions (section 4 of the specification): others select and watch by them. */
export const OPERATOR_LABEL = "kudo.dev/operator";

export const PLAN_ANNOTATION = "kudo.dev/plan";
export const PHASE_ANNOTATION = "kudo.dev/phase";
export const STEP_ANNOTATION = "kudo.dev/step";
export const PLAN_UID_ANNOTATION = "kudo.dev/last-plan-execution-uid";
export const OPERATOR_VERSION_ANNOTATION = "kudo.dev/operator-version";
export const DEPENDENCIES_HASH_ANNOTATION = "kudo.dev/dependencies-hash";
/** On a ConfigMap or Secret: what it holds restarts nothing. */
export const SKIP_HASH_ANNOTATION = "kudo.dev/skip-hash-calculation";
/** On the Pod of a Pipe task. */
export const PIPE_POD_ANNOTATION = "kudo.dev/pipepod";
