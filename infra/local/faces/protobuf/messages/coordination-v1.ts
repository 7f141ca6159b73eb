// Written by infra/protobuf/generate.ts from api@v0.37.0/coordination/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of coordination.v1: see `../table.ts` for how a line is read. */
export const coordinationV1 = `
Lease metadata=1.meta.v1.ObjectMeta spec=2.LeaseSpec
LeaseSpec holderIdentity=1s leaseDurationSeconds=2i acquireTime=3.meta.v1.MicroTime renewTime=4.meta.v1.MicroTime leaseTransitions=5i strategy=6s preferredHolder=7s
`;
