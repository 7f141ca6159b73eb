import { type Clock, systemClock } from "../../clock/clock.ts";
import { type ContextConnection, connectionOf } from "./context.ts";
import { KubeconfigError } from "./errors.ts";
import { kubeconfigFiles, readKubeconfigs, type WhereToLook } from "./files.ts";
import { inClusterConnection } from "./in-cluster.ts";

export interface LoadOptions extends WhereToLook {
  /** Default: the current context. */
  readonly context?: string | undefined;
  /** Default: the context's, else `default`. */
  readonly namespace?: string | undefined;
  readonly clock?: Clock | undefined;
  /** The folder in which a Pod's service account is mounted. */
  readonly serviceAccountFolder?: string | undefined;
}

/**
 * The connection to the cluster that kubectl would talk to: a named file, else the files of KUBECONFIG, else `~/.kube/config`,
 * else the service account of the Pod. Throws a `KubeconfigError`.
 */
export function loadConnection(options: LoadOptions = {}): ContextConnection {
  const clock = options.clock ?? systemClock;
  const files = kubeconfigFiles(options);
  if (files.length > 0)
    return connectionOf(readKubeconfigs(files), options.context, options.namespace, clock);
  const own = inClusterConnection(options.environment ?? process.env, clock, options.serviceAccountFolder);
  if (own !== undefined)
    return options.namespace === undefined ? own : { ...own, namespace: options.namespace };
  throw new KubeconfigError(
    "KUBECONFIG_NOT_FOUND",
    "No kubeconfig was found (neither KUBECONFIG nor ~/.kube/config) and this is no Pod: name one with --kubeconfig",
  );
}
