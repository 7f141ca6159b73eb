import { defineSystem } from "../../shared/function/index.ts";
import { clusterPlatforms } from "./cluster-platforms.ts";
import { configuration } from "./configuration.ts";
import { PREDECESSORS } from "./kinds/predecessor.ts";
import { platforms } from "./platforms.ts";
import { workflows } from "./workflows.ts";

/** SonataFlow's cluster platforms, platforms and workflows. */
export const sonataflow = defineSystem({
  name: "sonataflow",
  description: "Workflow services for a namespace or the whole cluster, and the workflows that use them.",
  config: configuration,
  functions: [clusterPlatforms, platforms, workflows],
  predecessors: PREDECESSORS,
});
