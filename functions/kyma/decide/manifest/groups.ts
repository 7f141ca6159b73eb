/** API groups that decisions know by name. */
export const GROUPS = {
  definitions: "apiextensions.k8s.io",
  rights: "rbac.authorization.k8s.io",
  workloads: "apps",
} as const;
