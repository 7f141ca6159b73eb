export { apiProbe, ownApiProbe } from "./api-probe.ts";
export type { Away, Probe } from "./connection.ts";
export { type ConnectionState, farPolicy, nearPolicy, type ProbePolicy, probed } from "./connection-state.ts";
export { ConnectionPool, type ConnectionPoolParts, HOME } from "./pool.ts";
