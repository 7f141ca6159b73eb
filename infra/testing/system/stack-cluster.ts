import type { System } from "../../../shared/function/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Stack, type StackOptions, startStack } from "../stack.ts";
import { wrapClient } from "../wrapped-client.ts";
import { type UserCluster, userCluster } from "./user-cluster.ts";

/** The scenarios' cluster on the whole stack: API server, watcher, bus, runner, controllers. */
export interface StackCluster extends UserCluster {
  readonly stack: Stack;
  /** Ends the engine and starts another one on what it left, with the same clients. */
  restart(): Promise<void>;
  /** The same, with deeds in between: nobody runs functions while they are done. */
  whileAway(deeds: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export interface StackClusterOptions
  extends Pick<StackOptions, "api">,
    Partial<
      Pick<
        StackOptions,
        "engineClient" | "clusterClient" | "directory" | "configuration" | "engine" | "fleet" | "log"
      >
    > {
  readonly system: System;
}

/** Starts it. Writes of statuses can be refused. */
export async function startStackCluster({
  system,
  engineClient,
  ...options
}: StackClusterOptions): Promise<StackCluster> {
  const { clusterClient } = options;
  const faults = { left: 0 };
  const refusing = (client: KubeClient): KubeClient =>
    wrapClient(engineClient?.(client) ?? client, (request, send) => {
      if (!request.status || !request.write || faults.left === 0) return send();
      faults.left -= 1;
      const stale = faults.left % 2 === 0;
      throw new KubeError(stale ? "stale" : "unavailable", "Refused by the test.", { request: "status" });
    });
  const stack = await startStack({ ...options, systems: [system], engineClient: refusing });
  const cluster = userCluster(stack.client, system, {
    settled: () => stack.settled(),
    again: () => stack.everyKeyOnce(),
  });
  const restart = (): Promise<void> =>
    stack.restartEngine({ engineClient: refusing, ...(clusterClient && { clusterClient }) });
  return {
    ...cluster,
    stack,
    restart,
    whileAway: async (deeds) => {
      await stack.engine.stop();
      await deeds();
      await restart();
    },
    stop: () => stack.stop(),
    failStatusWrites: (count) => {
      faults.left = count;
    },
    empty: () => {
      faults.left = 0;
      return cluster.empty();
    },
  };
}
