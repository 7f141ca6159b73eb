import type { Cluster } from "./cluster.ts";
import { active } from "./scenarios-active.ts";
import { platform } from "./scenarios-platform.ts";
import { references } from "./scenarios-references.ts";
import { steadiness } from "./scenarios-steadiness.ts";

/** One acceptance scenario: it begins in an empty cluster. */
export interface Scenario {
  readonly number: number;
  readonly name: string;
  run(cluster: Cluster): Promise<void>;
}
export type Scenarios = readonly Scenario[];

/** The acceptance scenarios of the specification, by number. */
export const scenarios: Scenarios = [...references, ...active, ...platform, ...steadiness].toSorted(
  (one, other) => one.number - other.number,
);
