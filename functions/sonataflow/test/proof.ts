import type { Proof } from "../../../infra/testing/system/proof.ts";
import { sonataflow } from "../index.ts";
import { scenarios } from "./scenarios.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

/** What the kit proves SonataFlow with. */
export const proof: Proof<StackCluster> = {
  name: "SonataFlow",
  system: sonataflow,
  scenarios,
  start: ({ api, ...options }) => startStackCluster(api, options),
  races: [20, 28, 29, 38, 39],
  orders: 6,
  controllerManager: true,
};
