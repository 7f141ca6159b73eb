import type { Clock } from "../../shared/clock/clock.ts";
import { awsConnection } from "../../shared/kube/aws/index.ts";
import { type ContextConnection, loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import type { Settings } from "../settings/index.ts";

/** How the settings say that the cluster is reached. Throws a `KubeconfigError`. */
export function clusterConnection(
  { aws, kubeconfig, context }: Settings["cluster"],
  environment: NodeJS.ProcessEnv,
  clock: Clock,
): ContextConnection {
  if (aws === undefined) return loadConnection({ file: kubeconfig, context, environment, clock });
  const name = aws.eksCluster ?? new URL(aws.server).hostname;
  return { ...awsConnection(aws, environment, clock), context: undefined, cluster: name, files: [] };
}
