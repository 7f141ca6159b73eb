import type { Scenario } from "../../../infra/testing/system/scenario.ts";
import type { Site } from "./site.ts";
import type { Bench, Stage } from "./stage.ts";

/** Those that look into the engine, or end its worker. */
export type Scenarios = readonly Scenario<Stage>[];
/** Those that leave it to the stage who runs the functions. */
export type BenchScenarios = readonly Scenario<Bench>[];
/** Those that need no time to leap, and nothing but a cluster, so that hosts of their own can play them as well. */
export type SiteScenarios = readonly Scenario<Site>[];
