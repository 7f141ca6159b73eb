import type { Scenarios } from "./scenario.ts";
import { active } from "./scenarios-active.ts";
import { further } from "./scenarios-further.ts";
import { platform } from "./scenarios-platform.ts";
import { references } from "./scenarios-references.ts";
import { steadiness } from "./scenarios-steadiness.ts";

export type { Scenarios } from "./scenario.ts";

/** The acceptance scenarios of the specification by number, 1 to 40, and further ones. */
export const scenarios: Scenarios = [
  ...references,
  ...active,
  ...platform,
  ...steadiness,
  ...further,
].toSorted((one, other) => one.number - other.number);
