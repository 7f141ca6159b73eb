import type { Scenario } from "../../../infra/testing/system/scenario.ts";
import type { Stage } from "./stage.ts";

export type Scenarios = readonly Scenario<Stage>[];
