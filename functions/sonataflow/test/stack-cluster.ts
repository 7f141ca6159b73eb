import {
  type StackCluster,
  type StackClusterOptions,
  startStackCluster as startCluster,
} from "../../../infra/testing/system/stack-cluster.ts";
import type { TestApi } from "../../../infra/testing/test-api.ts";
import { sonataflow } from "../index.ts";

export type { StackCluster };

/** SonataFlow on the whole stack. */
export const startStackCluster = (
  api: "local" | "real",
  { on, ...options }: Partial<Omit<StackClusterOptions, "api">> & { readonly on?: TestApi } = {},
): Promise<StackCluster> => startCluster({ system: sonataflow, ...options, api: on ?? api });
