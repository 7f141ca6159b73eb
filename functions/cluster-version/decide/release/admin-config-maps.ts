/** The ConfigMap with the gates that administrators must acknowledge before another minor version. */
export const ADMIN_GATES = { name: "admin-gates", namespace: "openshift-config-managed" } as const;
/** The ConfigMap with the gates that they have acknowledged. */
export const ADMIN_ACKS = { name: "admin-acks", namespace: "openshift-config" } as const;
