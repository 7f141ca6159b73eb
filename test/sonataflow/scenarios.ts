import type { Cluster } from "./cluster.ts";
import { active } from "./scenarios-active.ts";
import { further } from "./scenarios-further.ts";
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

/** The acceptance scenarios of the specification by number, 1 to 40, and further ones. */
export const scenarios: Scenarios = [
  ...references,
  ...active,
  ...platform,
  ...steadiness,
  ...further,
].toSorted((one, other) => one.number - other.number);
