// Written by infra/protobuf/generate.ts from api@v0.37.0/rbac/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of rbac.v1: see `../table.ts` for how a line is read. */
export const rbacV1 = `
AggregationRule clusterRoleSelectors=1[.meta.v1.LabelSelector]
ClusterRole metadata=1.meta.v1.ObjectMeta rules=2[.PolicyRule] aggregationRule=3.AggregationRule
ClusterRoleBinding metadata=1.meta.v1.ObjectMeta subjects=2[.Subject] roleRef=3.RoleRef
PolicyRule verbs=1[s] apiGroups=2[s] resources=3[s] resourceNames=4[s] nonResourceURLs=5[s]
Role metadata=1.meta.v1.ObjectMeta rules=2[.PolicyRule]
RoleBinding metadata=1.meta.v1.ObjectMeta subjects=2[.Subject] roleRef=3.RoleRef
RoleRef apiGroup=1s kind=2s name=3s
Subject kind=1s apiGroup=2s? name=3s namespace=4s?
`;
