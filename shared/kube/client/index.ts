export { apiProbe, ownApiProbe } from "./api-probe.ts";
export { ClusterAwayError, ClusterSlowError } from "./cluster-away.ts";
export type { Standing } from "./cluster-secret.ts";
export type { Away, Probe } from "./connection.ts";
export { type ConnectionState, farPolicy, nearPolicy, type ProbePolicy, probed } from "./connection-state.ts";
export { guardedClient } from "./guarded-client.ts";
export type { OtherCluster } from "./other-cluster.ts";
export { OtherClusters, type OtherClustersParts, type UsedCluster } from "./other-clusters.ts";
export { ConnectionPool, type ConnectionPoolParts, HOME } from "./pool.ts";
