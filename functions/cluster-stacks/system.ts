import { defineSystem } from "../../shared/function/index.ts";
import { addons } from "./addons.ts";
import { addonAdmission, clusterAdmission, releaseAdmission, stackAdmission } from "./admission.ts";
import { clusters } from "./clusters.ts";
import { configuration } from "./configuration.ts";
import { afterClusterUpgrade, afterControlPlaneInitialized, beforeClusterUpgrade } from "./hooks.ts";
import { PREDECESSORS } from "./kinds/index.ts";
import { releases } from "./releases.ts";
import { sources } from "./sources.ts";
import { stacks } from "./stacks.ts";

/** Releases of ClusterClasses with their images, from a source into the management cluster. */
export const clusterStacks = defineSystem({
  name: "cluster-stacks",
  description: "Brings tested releases of ClusterClasses, with their images, into a management cluster.",
  config: configuration,
  functions: [sources, stacks, releases, clusters, addons],
  hooks: [afterControlPlaneInitialized, beforeClusterUpgrade, afterClusterUpgrade],
  admissions: [stackAdmission, releaseAdmission, addonAdmission, clusterAdmission],
  predecessors: PREDECESSORS,
  onlyWhenNamed: "it is for management clusters of Cluster API, and another operator may hold these objects",
  admits: (config) => ({
    "provider-object": config.providerKinds,
    "class-object": config.kinds,
    "source-secret": config.sourceSecrets,
    "cluster-object": config.clusterKinds,
    "workload/addon-object": config.addonKinds,
  }),
});
