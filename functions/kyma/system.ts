import { defineSystem } from "../../shared/function/index.ts";
import { configuration } from "./configuration.ts";
import { PREDECESSORS } from "./kinds/index.ts";
import { kymas } from "./kymas.ts";
import { policies } from "./policies.ts";
import { releaseDeletion } from "./release-deletion.ts";

/** The modules of clusters: which ones each is to have, in which version. */
export const kyma = defineSystem({
  name: "kyma",
  description: "Brings modules into clusters, and keeps them in the versions that a catalog says.",
  config: configuration,
  functions: [kymas, policies, releaseDeletion],
  predecessors: PREDECESSORS,
  onlyWhenNamed: "it is for control planes of Kyma, and another operator may hold these objects",
});
