import type { Clock } from "../clock/clock.ts";
import type { System } from "../function/system.ts";
import { OtherClusters } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import { clustersAtHome } from "./configuration.ts";

/** The other clusters that the functions of some systems may name. Whoever makes them closes them. */
export const otherClustersOf = (of: {
  readonly systems: readonly System[];
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
}): OtherClusters =>
  new OtherClusters({
    home: of.client,
    clock: of.clock,
    log: of.log,
    atHome: clustersAtHome(of.systems, of.configuration),
  });
