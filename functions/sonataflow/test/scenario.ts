import type { Cluster } from "./cluster.ts";

/** One acceptance scenario: it begins in an empty cluster. */
export interface Scenario {
  readonly number: number;
  readonly name: string;
  run(cluster: Cluster): Promise<void>;
}
export type Scenarios = readonly Scenario[];
