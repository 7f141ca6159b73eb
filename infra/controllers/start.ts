import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { FirstContents } from "./first-contents.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { NamespaceController } from "./namespaces.ts";
import { ObjectGraph } from "./object-graph.ts";

export interface ControllersOptions {
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly log?: Log;
  /** PEM of the API server's authority: then each namespace gets a ServiceAccount `default` and `kube-root-ca.crt`. */
  readonly certificate?: string | undefined;
}

export interface Controllers {
  /** Resolves when nothing that they have heard of is left to do. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Garbage collection, the beginning and the end of namespaces, for an API server that runs without kube-controller-manager. They are
 * ordinary clients: they watch all kinds and act on what they see. Rejects with a `KubeError` where discovery fails.
 */
export async function startControllers({
  client,
  clock = systemClock,
  log = silent,
  certificate,
}: ControllersOptions): Promise<Controllers> {
  const graph = new ObjectGraph({ client, clock, log });
  const controllers = [
    new GarbageCollector({ client, graph, clock, log }),
    new NamespaceController({ client, graph, clock, log }),
    ...(certificate === undefined ? [] : [new FirstContents({ client, graph, clock, log, certificate })]),
  ];
  const stop = async (): Promise<void> => {
    await Promise.all([graph.stop(), ...controllers.map((controller) => controller.stop())]);
  };
  try {
    await graph.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    idle: async () => {
      await graph.synced();
      for (const controller of controllers) await controller.idle();
    },
    stop,
  };
}
