import type { Stage } from "./stage.ts";

/** One acceptance scenario: it begins in an empty cluster. */
export interface Scenario {
  readonly number: number;
  readonly name: string;
  run(stage: Stage): Promise<void>;
}
export type Scenarios = readonly Scenario[];
