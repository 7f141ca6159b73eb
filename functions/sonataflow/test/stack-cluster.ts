import { type Stack, type StackOptions, startStack } from "../../../infra/testing/stack.ts";
import type { TestApi } from "../../../infra/testing/test-api.ts";
import { wrapClient } from "../../../infra/testing/wrapped-client.ts";
import type { System } from "../../../shared/function/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { sonataflow } from "../index.ts";
import { type UserCluster, userCluster } from "./user-cluster.ts";

export { ensureNamespace, putAsUser } from "./user-cluster.ts";

/** The scenarios' cluster on the whole stack: API server, watcher, bus, runner, controllers. */
export interface StackCluster extends UserCluster {
  readonly stack: Stack;
  stop(): Promise<void>;
}

export async function startStackCluster(
  api: "local" | "real",
  options: Partial<Pick<StackOptions, "engineClient" | "directory" | "engine">> & {
    readonly on?: TestApi;
    readonly system?: System;
  } = {},
): Promise<StackCluster> {
  const faults = { left: 0 };
  const refusing = (client: KubeClient): KubeClient =>
    wrapClient(options.engineClient?.(client) ?? client, (request, send) => {
      if (!request.status || !request.write || faults.left === 0) return send();
      faults.left -= 1;
      const stale = faults.left % 2 === 0;
      throw new KubeError(stale ? "stale" : "unavailable", "Refused by the test.", { request: "status" });
    });
  const stack = await startStack({
    api: options.on ?? api,
    systems: [options.system ?? sonataflow],
    engineClient: refusing,
    ...(options.directory !== undefined && { directory: options.directory }),
    ...(options.engine !== undefined && { engine: options.engine }),
  });
  const cluster = userCluster(stack.client, {
    settled: () => stack.settled(),
    again: () => stack.everyKeyOnce(),
  });
  return {
    ...cluster,
    stack,
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
