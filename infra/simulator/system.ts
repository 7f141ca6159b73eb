import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import type { Simulation } from "../../shared/function/simulation.ts";
import { WorkQueue } from "../../shared/kube/client/work-queue.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { followWith } from "../systems/follow.ts";
import { partOf } from "../systems/parts.ts";
import { post } from "./post.ts";

/** Plays those whom a system waits for, as its `simulate.ts` says; undefined where it has none. */
export async function simulateSystem(
  system: string,
  options: {
    readonly client: KubeClient;
    readonly clock?: Clock;
    readonly log?: Log;
    /** Default true. */
    readonly own?: boolean;
  },
): Promise<Simulation | undefined> {
  const { client, clock = systemClock, log = silent, own = true } = options;
  const simulate = await partOf(system, "simulate");
  return simulate?.({
    client,
    clock,
    log,
    own,
    post,
    follow: followWith(clock, log),
    queue: (work) => new WorkQueue({ clock, log, work }),
  });
}
