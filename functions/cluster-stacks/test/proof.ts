import type { Proof, Scenario } from "../../../infra/testing/system/index.ts";
import { clusterStacks } from "../index.ts";
import { ClusterClass } from "../kinds/index.ts";
import { DockerClusterTemplate, ProviderRelease } from "./kinds.ts";
import { addonClusters, addonWork } from "./scenarios-addon-work.ts";
import { addons } from "./scenarios-addons.ts";
import { hostile } from "./scenarios-hostile.ts";
import { orders } from "./scenarios-orders.ts";
import { outside } from "./scenarios-outside.ts";
import { release } from "./scenarios-release.ts";
import { releaseSet } from "./scenarios-release-set.ts";
import { source } from "./scenarios-source.ts";
import { stages } from "./scenarios-stages.ts";
import { type Stage, startStage } from "./stage.ts";

/** Times differ from play to play, and how often something was tried. */
const OWN_VALUE = /^(nextTry|attempts|uid|startedAt|rendered)$/;
const essence = (world: unknown): unknown =>
  JSON.parse(JSON.stringify(world, (field, value: unknown) => (OWN_VALUE.test(field) ? undefined : value)));

/** Cluster stacks, handed over to the kit. */
export const proof: Proof<Stage> = {
  name: "cluster stacks",
  system: clusterStacks,
  brings: [ClusterClass, DockerClusterTemplate, ProviderRelease],
  scenarios: [...releaseSet, ...source, ...release, ...addons, ...stages],
  start: startStage,
  races: [1, 5, 19],
  deaths: [4, 5, 22],
  orders: 3,
  controllerManager: true,
  essence,
  meantReads: [
    ...["status", "status.resources", "metadata.deletionTimestamp"].map((path) => ({
      function: "cluster-stack-releases",
      kind: "ClusterStackRelease",
      path,
      why: "who goes looks for heirs once; one that comes later applies what it lacks",
    })),
    {
      function: "cluster-stack-clusters",
      kind: "ClusterAddon",
      path: "metadata.ownerReferences",
      why: "owners wake by what they are, before and after",
    },
    {
      function: "cluster-stacks",
      kind: "ClusterStackRelease",
      path: "metadata.ownerReferences",
      why: "owners wake by what they are, before and after",
    },
  ],
};

/** Upgrades in stages with a death after any write, in either cluster: number 28. */
export const deathsInStages: Proof<Stage> = {
  ...proof,
  name: "scenario 28: an upgrade in stages",
  deaths: [24, 27],
};

/** The names of those in stages that take long, and whose like are played with the unit tests. */
const LONG = new Set([
  "what was rendered for stages that are no more is not kept",
  "a faulty release is left for a fixed one, which is asked for anew",
  "each way in which a condition cannot be asked has its reason",
  "whether Cluster API is yet to ask, the control plane says: one that was upgraded meanwhile is waited for no longer",
  "the first installation waits for the workload cluster, and then runs its stages",
  "a class that is left while its stages run leaves nothing behind",
]);
const isLong = ({ name }: Scenario<Stage>): boolean => LONG.has(name);

/** The scenarios that are played with the unit tests. */
export const quickProof: Proof<Stage> = {
  ...proof,
  scenarios: proof.scenarios.filter((one) => !isLong(one)),
};

/** The rest: what addons of workload clusters do takes longer. */
export const addonProof: Proof<Stage> = {
  ...proof,
  name: "addons of workload clusters",
  scenarios: [
    ...[...addonWork, ...addonClusters, ...outside, ...orders, ...hostile],
    ...proof.scenarios.filter(isLong),
  ],
};

/** The numbers of those in which more than a minute passes: timers that far ahead go by the clock of the bus's server. */
const BY_MINUTES = new Set([8, 9, 10, 12, 13, 14, 18, 31, 36]);
/** The names of those whose numbers others have too. */
const BY_MINUTES_TOO = new Set([
  "a release that is published later is found at the next look",
  "an object that two releases bring stays with the one that stays",
  "an object that two releases bring otherwise is the first one's until that lets go",
  "an object whose namespace is not there waits for it",
  "the first installation waits for the workload cluster, and then runs its stages",
  "a stage waits for its conditions, says why and how late it is, and the next is not begun before",
]);

/** The scenarios that several workers play as well. */
export const hostsProof: Proof<Stage> = {
  ...proof,
  scenarios: [...quickProof.scenarios, ...addonProof.scenarios].filter(
    ({ number, name }) => !BY_MINUTES.has(number) && !BY_MINUTES_TOO.has(name),
  ),
};

/** The names of those that workers play over queues, where each wait takes long: a tenth. */
const OVER_QUEUES = new Set([
  "the newest ready release stays beside the latest, and what nobody needs goes",
  "a version by name is one release, without a provider and without a look at the list",
  "addons that are still installed hold their release",
  "an upgrade deletes what vanished, updates what changed, and writes nothing else",
]);
export const queuesProof: Proof<Stage> = {
  ...hostsProof,
  scenarios: hostsProof.scenarios.filter(({ name }) => OVER_QUEUES.has(name)),
};
