// Written by infra/protobuf/generate.ts from api@v0.37.0/discovery/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of discovery.v1: see `../table.ts` for how a line is read. */
export const discoveryV1 = `
Endpoint addresses=1[s] conditions=2.EndpointConditions hostname=3s targetRef=4.core.v1.ObjectReference deprecatedTopology=5{s} nodeName=6s zone=7s hints=8.EndpointHints
EndpointConditions ready=1b serving=2b terminating=3b
EndpointHints forZones=1[.ForZone] forNodes=2[.ForNode]
EndpointPort name=1s protocol=2s port=3i appProtocol=4s
EndpointSlice metadata=1.meta.v1.ObjectMeta addressType=4s endpoints=2[.Endpoint] ports=3[.EndpointPort]
ForNode name=1s
ForZone name=1s
`;
