/** Marks a platform or cluster platform that is never chosen, and never in the way of others: value `true`. */
export const SECONDARY = "sonataflow.org/secondary.platform";
/** Which of several operators handles the object. */
export const OPERATOR_ID = "sonataflow.org/operator.id";
/** How a workflow runs: `dev`, `preview` or `gitops`. */
export const PROFILE = "sonataflow.org/profile";
/** On a pod template: the digest of its configuration. */
export const CHECKSUM = "sonataflow.org/checksum-config";
/** On a pod template: when a changed configuration was last rolled out. */
export const RESTARTED_AT = "sonataflow.org/restartedAt";
