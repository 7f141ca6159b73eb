import type { Cluster } from "../../../infra/testing/system/cluster.ts";
import type { Scenario } from "../../../infra/testing/system/scenario.ts";

export type Scenarios = readonly Scenario<Cluster>[];
