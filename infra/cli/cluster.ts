import type { KubeClient } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { type ContextConnection, loadConnection } from "../../shared/kube/kubeconfig/index.ts";

export interface ClusterChoice {
  /** Undefined: as kubectl would choose. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** A cluster that can be talked to. */
export interface Cluster {
  readonly connection: ContextConnection;
  readonly client: KubeClient;
}

/** Reads the kubeconfig and makes a client; sends nothing. Throws a `KubeconfigError`. */
export function openCluster({ kubeconfig, context }: ClusterChoice): Cluster {
  const connection = loadConnection({ file: kubeconfig, context });
  return { connection, client: createKubeClient({ connection }) };
}
