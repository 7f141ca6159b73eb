import type { DryRunProof } from "../../../infra/testing/system/index.ts";
import type { Proof, StageOptions } from "../../../infra/testing/system/proof.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { WORK_RECORD } from "../decide/sync/work-record.ts";
import { clusterVersionSystem } from "../system.ts";
import { type DryRunStage, startDryRunStage } from "./dry-run-stage.ts";
import type { SiteScenarios } from "./scenario.ts";
import { faults } from "./scenarios-faults.ts";
import { gates, waits } from "./scenarios-gates.ts";
import { moves } from "./scenarios-moves.ts";
import { objects } from "./scenarios-objects.ts";
import { targets, verifier } from "./scenarios-targets.ts";
import { type Stage, type StageOptions as StageParts, startStage } from "./stage.ts";

const start =
  (parts: Pick<StageParts, "verifier"> = {}) =>
  async ({ api, ...options }: StageOptions): Promise<Stage> =>
    startStage({ ...parts, ...options, api: await startTestApi({ api, controllers: false }) });

const RECORD = `ConfigMap ${WORK_RECORD.namespace}/${WORK_RECORD.name}`;
/** The world without how often something was tried before, and when: two plays need not agree in that. */
function withoutTries({ [RECORD]: _record, ...world }: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify(world).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then"));
}

const RACES = [12, 13, 14, 29, 31, 34];

/** The scenarios that hosts in processes of their own play as well. */
export const onHosts: SiteScenarios = [...gates, ...moves];

/** The sync, handed over to the kit. */
export const sync: Proof<Stage> = {
  name: "the sync of a ClusterVersion",
  system: clusterVersionSystem,
  scenarios: [...gates, ...waits, ...moves, ...faults, ...objects],
  start: start(),
  races: RACES,
  orders: 3,
  deaths: RACES,
  essence: withoutTries,
  controllerManager: false,
};

/** The choice of a release, handed over to the kit. */
export const choice: Proof<Stage> = {
  name: "the choice of a release",
  system: clusterVersionSystem,
  scenarios: targets,
  start: start({ verifier }),
  // Those in which three writers share the status while the spec changes.
  races: [22, 23, 26, 41],
  orders: 2,
  deaths: [],
  controllerManager: false,
};

/** The same scenarios, handed over for dry runs; but not `faults`, which are about the engine: who dies, races, or hears late. */
export const dry: readonly DryRunProof<DryRunStage>[] = [
  {
    name: sync.name,
    scenarios: [...gates, ...waits, ...moves, ...objects],
    start: (api, t) => startDryRunStage(api, t),
    controllerManager: false,
  },
  {
    name: choice.name,
    scenarios: targets,
    start: (api, t) => startDryRunStage(api, t, verifier),
    controllerManager: false,
  },
];

/** The numbers of the scenarios whose dry runs are fast enough to be watched with the unit tests: a wait, an end, a refusal, rest. */
const QUICK = [13, 15, 27, 34];
export const isQuick = (number: number): boolean => QUICK.includes(number);
