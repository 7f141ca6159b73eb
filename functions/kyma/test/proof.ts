import type { MeantRead, Proof } from "../../../infra/testing/system/index.ts";
import type { System } from "../../../shared/function/index.ts";
import { kyma } from "../index.ts";
import { Manifest } from "../kinds/index.ts";
import { central } from "./scenarios-central.ts";
import { channels } from "./scenarios-channels.ts";
import { credentials } from "./scenarios-credentials.ts";
import { deletion } from "./scenarios-deletion.ts";
import { delivery } from "./scenarios-delivery.ts";
import { cycles, dependencies } from "./scenarios-dependencies.ts";
import { enable } from "./scenarios-enable.ts";
import { manifests } from "./scenarios-manifests.ts";
import { routes } from "./scenarios-routes.ts";
import { runtimes, runtimesAndUsers } from "./scenarios-runtime.ts";
import { shapes } from "./scenarios-shapes.ts";
import { told } from "./scenarios-told.ts";
import { watching } from "./scenarios-watcher.ts";
import { type Stage, startStage } from "./stage.ts";
import { unpolled } from "./unpolled.ts";

const meant = (name: string, kind: string, path: string, why: string): readonly MeantRead[] => [
  { function: name, kind, path, why },
];

/** Kyma without what brings modules to their runtimes, which the stage plays: decisions about Kymas need none. */
const control: System = {
  ...kyma,
  functions: kyma.functions.filter(({ key }) => key.kind.id !== Manifest.id),
};

/** Times differ from play to play, and of a Kyma's wish the annotation is text. */
const OWN_VALUE = /^(lastUpdateTime|renewTime|uid)$/;
const essence = (world: unknown): unknown =>
  JSON.parse(JSON.stringify(world, (field, value: unknown) => (OWN_VALUE.test(field) ? undefined : value)));

/** Kyma, handed over to the kit. */
export const proof: Proof<Stage> = {
  name: "kyma",
  system: control,
  scenarios: unpolled([...enable, ...channels, ...central, ...cycles, ...delivery]),
  start: (options) => startStage({ system: control, ...options }),
  races: [1, 8, 9, 23, 24, 28, 30],
  deaths: [1, 8, 24],
  orders: 3,
  controllerManager: true,
  essence,
  meantReads: [
    ...meant("kymas", "KymaPolicy", "spec", "its generation is a fact, and follows its spec"),
    ...["kymas", "kyma-catalogs"].flatMap((name) =>
      ["ModuleReleaseMeta", "ModuleTemplate"].flatMap((kind) =>
        meant(name, kind, "spec", "its generation is a fact, and follows its spec"),
      ),
    ),
    ...meant("kyma-watchers", "Gateway", "spec", "its generation is a fact, and follows its spec"),
    ...meant("kyma-watcher", "Watcher", "spec", "its generation is a fact, and follows its spec"),
    ...["kymas", "kyma-release-deletion"].flatMap((name) =>
      meant(
        name,
        "Manifest",
        "metadata.labels",
        "it is selected by the labels that it was made with, and its facts tell of the others",
      ),
    ),
  ],
};

/** The scenarios that let weeks pass, or wait for what is told again. */
const SLOW = [33, 34, 36];

/** The same with clusters of their own. */
export const runtimeProof: Proof<Stage> = {
  ...proof,
  name: "kyma and its runtimes",
  scenarios: unpolled([...runtimes, ...watching.filter(({ number }) => !SLOW.includes(number)), ...routes]),
  races: [4, 23, 39],
  orders: 1,
  deaths: [4],
  start: (options) => startStage({ system: control, ...options, target: "secret" }),
};
/** The scenarios that wait for what is heard from a runtime: they take longer. */
export const userProof: Proof<Stage> = {
  ...runtimeProof,
  scenarios: unpolled([...runtimesAndUsers, ...watching.filter(({ number }) => SLOW.includes(number))]),
};

/** Modules in their runtimes. */
export const moduleProof: Proof<Stage> = {
  ...runtimeProof,
  name: "modules of kyma",
  system: kyma,
  scenarios: unpolled([...manifests, ...deletion, ...dependencies, ...shapes]),
  start: (options) => startStage({ ...options, target: "secret" }),
  races: [8, 15, 17, 31],
  deaths: [8, 21],
  meantReads: [
    ...(proof.meantReads ?? []),
    ...["metadata.deletionTimestamp", "spec.version", "status"].flatMap((path) =>
      meant("kyma-manifests", "Manifest", path, "it waits for each Manifest that its module requires"),
    ),
    ...meant(
      "kyma-manifests",
      "Manifest",
      "metadata.labels",
      "whose objects they are is asked when these go",
    ),
    ...["metadata.annotations", "spec.install"].flatMap((path) =>
      meant(
        "kyma-manifests",
        "Manifest",
        path,
        "it waits for each Manifest on its way that has an object too which it drops",
      ),
    ),
  ],
};
/** The numbers of those that are played with the unit tests: an upgrade, a deletion that is held back, a hand-over, an artifact that is refused. */
const QUICK = [8, 15, 22, 38];
export const quickModuleProof: Proof<Stage> = {
  ...moduleProof,
  scenarios: moduleProof.scenarios.filter(({ number }) => QUICK.includes(number)),
};
/** The rest: most of them wait for workloads. */
export const otherModuleProof: Proof<Stage> = {
  ...moduleProof,
  scenarios: moduleProof.scenarios.filter(({ number }) => !QUICK.includes(number)),
};
/** The same, as far as others tell of changes, or change what a runtime is reached by. */
export const toldProof: Proof<Stage> = {
  ...moduleProof,
  name: "modules of kyma, and what is told of them",
  scenarios: unpolled([...told, ...credentials]),
};

/** The numbers of those in which no more than a minute passes: timers that are further ahead go by the clock of the bus's server. */
const ON_HOSTS = [1, 2, 8, 9, 10, 23, 24, 28, 30];
/** The scenarios that several workers play as well. */
export const hostsProof: Proof<Stage> = {
  ...proof,
  scenarios: proof.scenarios.filter(({ number }) => ON_HOSTS.includes(number)),
};
/** Those that workers play over queues, where each wait takes long: a tenth of all. */
const OVER_QUEUES = [1, 2, 24, 28];
export const queuesProof: Proof<Stage> = {
  ...hostsProof,
  scenarios: proof.scenarios.filter(({ number }) => OVER_QUEUES.includes(number)),
};
/** Modules in runtimes on real servers, with a control plane on another one. */
const ON_REAL_SERVERS = [8, 15, 21];
export const realModuleProof: Proof<Stage> = {
  ...moduleProof,
  name: "modules of kyma in runtimes of their own",
  scenarios: moduleProof.scenarios.filter(({ number }) => ON_REAL_SERVERS.includes(number)),
  start: (options) => startStage({ ...options, target: "secret", runtimes: options.api }),
};

/** The numbers of those about runtimes that are played with each of them on a server of its own, in less than a minute each. */
const RUNTIMES_ON_REAL_SERVERS = [3, 4, 6, 7, 12, 23, 26, 27, 33, 34, 35, 36, 39];
/** Runtimes on real servers: credentials, the copies of Kyma and catalog, and what tells of changes. */
export const realRuntimeProof: Proof<Stage> = {
  ...runtimeProof,
  name: "kyma and runtimes of its own",
  scenarios: [...runtimeProof.scenarios, ...userProof.scenarios].filter(({ number }) =>
    RUNTIMES_ON_REAL_SERVERS.includes(number),
  ),
  start: (options) => startStage({ system: control, ...options, target: "secret", runtimes: options.api }),
};
