import type { Clock } from "../clock/clock.ts";
import type { System } from "../function/system.ts";
import { OtherClusters } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Log } from "../log/log.ts";
import { clustersAtHome } from "./configuration.ts";

const PATIENT_MILLISECONDS = 10_000;

/** The other clusters that the functions of some systems may name. Whoever makes them closes them. */
export const otherClustersOf = (of: {
  readonly systems: readonly System[];
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** True where nobody is held up by a probe, as no function runs beside it: it waits 10 s for an answer, and takes no busy server for away. */
  readonly isPatient?: boolean | undefined;
}): OtherClusters =>
  new OtherClusters({
    home: of.client,
    clock: of.clock,
    log: of.log,
    ...(of.isPatient && { patience: PATIENT_MILLISECONDS }),
    atHome: clustersAtHome(of.systems, of.configuration),
  });
