import type { Scenario } from "../../../infra/testing/system/index.ts";
import { asked } from "./scenarios-admission.ts";
import { children } from "./scenarios-children.ts";
import { cleanup } from "./scenarios-cleanup.ts";
import { commands } from "./scenarios-commands.ts";
import { hashes } from "./scenarios-hash.ts";
import { parallel, parallelAsked } from "./scenarios-parallel.ts";
import { pipesScenarios } from "./scenarios-pipes.ts";
import { readiness } from "./scenarios-readiness.ts";
import { release } from "./scenarios-release.ts";
import { served } from "./scenarios-served.ts";
import { start } from "./scenarios-start.ts";
import { steps } from "./scenarios-steps.ts";
import { tasks } from "./scenarios-tasks.ts";
import type { AskedStage, Stage } from "./stage.ts";

const byNumber = <S>(...all: readonly Scenario<S>[]): readonly Scenario<S>[] =>
  all.toSorted((one, other) => one.number - other.number);

/** The acceptance scenarios of KUDO, by their number in its specification. */
export const scenarios = byNumber<Stage>(
  ...start,
  ...parallel,
  ...release,
  ...commands,
  ...cleanup,
  ...steps,
  ...tasks,
  ...children,
  ...readiness,
  ...pipesScenarios,
  ...hashes,
  ...served,
);

/** The numbers of those that do what the API server refuses where it asks. */
const REFUSED = new Set([2, 6, 7, 8, 9, 12, 14, 39]);
/** The scenarios where the API server asks before it stores an Instance. */
export const scenariosAsked = byNumber<AskedStage>(
  ...start.filter(({ number }) => !REFUSED.has(number)),
  ...cleanup,
  ...readiness,
  ...release,
  ...commands,
  ...asked,
  ...parallelAsked,
);
