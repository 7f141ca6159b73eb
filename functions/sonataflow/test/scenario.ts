import type { Scenario } from "../../../infra/testing/system/scenario.ts";
import type { Cluster } from "./cluster.ts";

export type Scenarios = readonly Scenario<Cluster>[];
