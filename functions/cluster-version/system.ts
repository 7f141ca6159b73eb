import { defineSystem } from "../../shared/function/index.ts";
import { availableUpdates } from "./available-updates.ts";
import { clusterVersion } from "./cluster-version.ts";
import { configuration } from "./configuration.ts";
import { clusterOperatorDependencies } from "./dependencies.ts";
import { upgradeable } from "./upgradeable.ts";

/** The release that a cluster is at, the board that its operators report on, and the way from one release to the next. */
export const clusterVersionSystem = defineSystem({
  name: "cluster-version",
  description: "Moves a cluster from release to release, behind the gates of its operators.",
  config: configuration,
  functions: [clusterVersion, availableUpdates, upgradeable, clusterOperatorDependencies],
  onlyWhenNamed: "it may apply whatever a release brings, and a cluster has one version operator",
  admits: (config) => ({ "payload-object": config.kinds }),
});
