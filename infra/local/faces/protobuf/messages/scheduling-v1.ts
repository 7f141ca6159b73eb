// Written by infra/protobuf/generate.ts from api@v0.37.0/scheduling/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of scheduling.v1: see `../table.ts` for how a line is read. */
export const schedulingV1 = `
PriorityClass metadata=1.meta.v1.ObjectMeta value=2i globalDefault=3b? description=4s? preemptionPolicy=5s
`;
