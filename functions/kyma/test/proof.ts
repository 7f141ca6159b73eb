import type { MeantRead, Proof } from "../../../infra/testing/system/index.ts";
import { kyma } from "../index.ts";
import { central } from "./scenarios-central.ts";
import { channels } from "./scenarios-channels.ts";
import { enable } from "./scenarios-enable.ts";
import { watching } from "./scenarios-watcher.ts";
import { type Stage, startStage } from "./stage.ts";

const meant = (name: string, kind: string, path: string, why: string): readonly MeantRead[] => [
  { function: name, kind, path, why },
];

/** Kyma, handed over to the kit. */
export const proof: Proof<Stage> = {
  name: "kyma",
  system: kyma,
  scenarios: [...enable, ...channels, ...central, ...watching],
  start: startStage,
  races: [],
  deaths: [],
  orders: 3,
  controllerManager: true,
  meantReads: [
    ...meant("kymas", "ModuleReleaseMeta", "spec", "its generation is a fact, and follows its spec"),
    ...meant("kymas", "ModuleTemplate", "spec", "its generation is a fact, and follows its spec"),
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
