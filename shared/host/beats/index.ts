export { BeatKeeper, type BeatKeeperOptions } from "./beat-keeper.ts";
export { HOST_LABEL, heardLeases, hearingHosts } from "./heard-leases.ts";
