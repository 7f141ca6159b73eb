/** Marks a platform or cluster platform that is never chosen, and never in the way of others: value `true`. */
export const SECONDARY = "sonataflow.org/secondary.platform";
/** The annotation that names the operator which handles the object, of several. */
export const OPERATOR_ID = "sonataflow.org/operator.id";
/** The annotation with the mode of a workflow: `dev`, `preview` or `gitops`. */
export const PROFILE = "sonataflow.org/profile";
/** The annotation of a pod template with the digest of its configuration. */
export const CHECKSUM = "sonataflow.org/checksum-config";
/** The annotation of a pod template with the time at which a changed configuration was last rolled out. */
export const RESTARTED_AT = "sonataflow.org/restartedAt";
