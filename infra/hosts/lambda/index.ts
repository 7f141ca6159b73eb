export { withAdapters } from "../../../shared/host/configuration.ts";
export { otherClustersOf } from "../../../shared/host/other-clusters.ts";
export { type ByHand, LambdaEventError, readByHand } from "./by-hand.ts";
export { type LambdaParts, lambdaHandler } from "./handler.ts";
