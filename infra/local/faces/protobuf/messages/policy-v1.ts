// Written by infra/protobuf/generate.ts from api@v0.37.0/policy/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of policy.v1: see `../table.ts` for how a line is read. */
export const policyV1 = `
Eviction metadata=1.meta.v1.ObjectMeta deleteOptions=2.meta.v1.DeleteOptions
PodDisruptionBudget metadata=1.meta.v1.ObjectMeta spec=2.PodDisruptionBudgetSpec status=3.PodDisruptionBudgetStatus
PodDisruptionBudgetSpec minAvailable=1.IntOrString selector=2.meta.v1.LabelSelector maxUnavailable=3.IntOrString unhealthyPodEvictionPolicy=4s
PodDisruptionBudgetStatus observedGeneration=1i? disruptedPods=2{.meta.v1.Time} disruptionsAllowed=3i currentHealthy=4i desiredHealthy=5i expectedPods=6i conditions=7[.meta.v1.Condition]
`;
