import type { Scenario } from "../../../infra/testing/system/index.ts";
import { absences } from "./scenarios-absences.ts";
import { asked } from "./scenarios-admission.ts";
import { children, childrenAsked } from "./scenarios-children.ts";
import { cleanup } from "./scenarios-cleanup.ts";
import { commands } from "./scenarios-commands.ts";
import { hashes } from "./scenarios-hash.ts";
import { parallel, parallelAsked } from "./scenarios-parallel.ts";
import { pipesScenarios } from "./scenarios-pipes.ts";
import { readiness } from "./scenarios-readiness.ts";
import { release } from "./scenarios-release.ts";
import { served } from "./scenarios-served.ts";
import { start } from "./scenarios-start.ts";
import { patience, steps } from "./scenarios-steps.ts";
import { tasks } from "./scenarios-tasks.ts";
import type { Shop } from "./shop.ts";
import type { AskedStage, Stage } from "./stage.ts";

const byNumber = <S>(...all: readonly Scenario<S>[]): readonly Scenario<S>[] =>
  all.toSorted((one, other) => one.number - other.number);

/** The scenarios that hosts in processes of their own play as well. */
export const onHosts = byNumber<Shop>(
  ...start,
  ...parallel,
  ...cleanup,
  ...steps,
  ...tasks,
  ...children,
  ...readiness,
  ...pipesScenarios,
  ...hashes,
);

/** The names of those that hosts play over queues, where each wait takes long: a tenth. */
const OVER_QUEUES = new Set([
  "a plan runs by name, and again; one that is unknown does not",
  "cleanup takes the place of whatever runs, and what it applied goes too",
  "what is applied, deleted and applied again is there",
  "a key and a certificate that a Pod made become Secrets, and the Pod goes",
  "children are done before their parent, and go with it",
]);
export const onQueues = onHosts.filter(({ name }) => OVER_QUEUES.has(name));

/** The acceptance scenarios of KUDO, by their number in its specification. */
export const scenarios = byNumber<Stage>(
  ...onHosts,
  ...served,
  ...absences,
  ...release,
  ...commands,
  ...patience,
);

/** The numbers of those that do what the API server refuses where it asks. */
const REFUSED = new Set([2, 6, 7, 8, 9, 12, 14, 34, 39]);
/** The scenarios in which it matters that the API server asks before it stores an Instance. */
export const scenariosAsked = byNumber<AskedStage>(...asked, ...parallelAsked, ...childrenAsked);
/** Those that end alike where it asks. */
export const scenariosAskedToo = byNumber<AskedStage>(
  ...start.filter(({ number }) => !REFUSED.has(number)),
  ...cleanup,
  ...steps,
  ...tasks,
  ...children,
  ...readiness,
  ...pipesScenarios,
  ...hashes,
  ...release,
  ...commands,
);
