import type { Scenario } from "../../../infra/testing/system/scenario.ts";
import type { Site } from "./site.ts";
import type { Stage } from "./stage.ts";

export type Scenarios = readonly Scenario<Stage>[];
/** Those that need no time to leap, and nothing but a cluster, so that hosts of their own can play them as well. */
export type SiteScenarios = readonly Scenario<Site>[];
