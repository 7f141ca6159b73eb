import { systemClock } from "../../shared/clock/clock.ts";
import type { Follow } from "../../shared/function/following.ts";
import type { SimulationTools } from "../../shared/function/simulation.ts";
import { WorkQueue } from "../../shared/kube/client/work-queue.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { silent } from "../../shared/log/log.ts";
import { post } from "../simulator/post.ts";
import { followWith } from "../systems/follow.ts";

/** The `follow` of a system's parts, for tests of theirs. */
export const follow: Follow = followWith(systemClock, silent);
/** The tools of a simulation, on a cluster of the test's own. */
export const simulationTools = (client: KubeClient): SimulationTools => ({
  client,
  clock: systemClock,
  log: silent,
  own: true,
  post,
  follow,
  queue: (work) => new WorkQueue({ clock: systemClock, log: silent, work }),
});
export { simulateSystem } from "../simulator/system.ts";
export { samplesOf, withSampleConfiguration } from "../systems/samples.ts";
