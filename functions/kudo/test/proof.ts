import type { DryRunProof, MeantRead, Proof, Scenario } from "../../../infra/testing/system/index.ts";
import { kudo } from "../index.ts";
import { type DryRunShop, startDryRunShop } from "./dry-run-stage.ts";
import { onHosts, scenarios, scenariosAsked, scenariosAskedToo } from "./scenarios.ts";
import { BROUGHT } from "./shop.ts";
import { type AskedStage, type Stage, startAskedStage, startStage } from "./stage.ts";

const OF_INSTANCES = "kudo-instances";
const meant = (kind: string, why: string, ...paths: readonly string[]): readonly MeantRead[] =>
  paths.map((path) => ({ function: OF_INSTANCES, kind, path, why }));
const WORKLOADS = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod"];

/** Uids follow from that of the Instance, times from the clock: two worlds differ in them. */
const OWN_VALUE =
  /^(uid|controller-uid|batch\.kubernetes\.io\/controller-uid|planUID|activePlanUID|nextRetryTime|since|kudo\.dev\/last-plan-execution-uid)$|Timestamp$/;
const essence = (world: unknown): unknown =>
  JSON.parse(JSON.stringify(world, (field, value: unknown) => (OWN_VALUE.test(field) ? undefined : value)));

/** KUDO, handed over to the kit. */
export const proof: Proof<Stage> = {
  name: "KUDO",
  system: kudo,
  brings: BROUGHT,
  scenarios,
  start: startStage,
  races: [3, 4, 5, 9, 12, 14, 17, 18, 19, 20, 22, 26, 27, 30, 32, 33, 36],
  deaths: [1, 3, 5, 6, 7, 8, 9, 18, 19, 25, 26, 30, 32, 33, 35, 36, 39],
  orders: 3,
  controllerManager: true,
  essence,
  meantReads: [
    ...meant("OperatorVersion", "its generation is a fact, and follows its spec", "spec"),
    ...meant("Instance", "its generation is a fact, and follows its spec", "spec"),
    ...WORKLOADS.flatMap((kind) => [
      ...meant(kind, "owners wake by what they are, before and after", "metadata.ownerReferences"),
      ...meant(
        kind,
        "its status's observedGeneration is a fact, and follows its spec",
        "spec",
        "metadata.generation",
      ),
      ...meant(kind, "nobody waits for it: at its next change it counts", "metadata.annotations"),
      ...meant(kind, "what goes is told when it is gone", "metadata.deletionTimestamp"),
    ]),
    ...meant("Deployment", "its conditions, facts, move with what is counted", "status"),
    ...meant("Pod", "it only words what its conditions and phase, facts, say", "status"),
  ],
};

/** KUDO with an API server that asks. */
export const proofAsked: Proof<AskedStage> = {
  ...proof,
  name: "KUDO behind its admission",
  // Who asks matters where plans begin and end: what lies between is interleaved without it.
  races: proof.races.filter((number) => number <= 17 || number === 36),
  deaths: [10],
  scenarios: [...scenariosAsked, ...scenariosAskedToo],
  start: startAskedStage,
};
/** The one that takes longest: with the unit tests fifty writes are played where nobody asks, and one where nobody answers. */
const FIFTY_LET_THROUGH = "while nobody answers and writes pass, none of fifty is lost, and none begins";
const isQuickAsked = ({ name }: Scenario<AskedStage>): boolean => name !== FIFTY_LET_THROUGH;
/** The part of it that is watched with the unit tests. */
export const quickAsked: Proof<AskedStage> = {
  ...proofAsked,
  scenarios: scenariosAsked.filter(isQuickAsked),
};
export const longAsked: Proof<AskedStage> = {
  ...proofAsked,
  scenarios: [...scenariosAsked.filter((one) => !isQuickAsked(one)), ...scenariosAskedToo],
};

/** Those of Pipe tasks are not run dry: a dry run sends no command to a Pod. */
const PIPES = new Set([30, 31]);
/** Nor those in which another world moves between both runs: a run by hand is what writes; a Job's deadline passes by the machine's clock. */
const NOT_DRY = new Set([
  "what breaks while nothing runs makes it unready, and starts nothing",
  "a Job past its deadline ends its plan; another run makes it anew, and a third leaves it alone",
]);

/** The scenarios of the hosts, handed over for dry runs. */
export const dry: DryRunProof<DryRunShop> = {
  name: proof.name,
  scenarios: onHosts.filter(({ number, name }) => !PIPES.has(number) && !NOT_DRY.has(name)),
  start: startDryRunShop,
  controllerManager: true,
};

/** The numbers of those that are watched with the unit tests: a plan, a cleanup, an upgrade, a task that brings and takes. */
const QUICK = [1, 18, 20, 27];
export const isQuick = (number: number): boolean => QUICK.includes(number);
