import type { Clock } from "../../shared/clock/clock.ts";
import { type ContextConnection, loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import type { Settings } from "../settings/index.ts";

/**
 * The connection to the cluster, as the settings say. AWS's signer is loaded only where it is reached so. Throws a
 * `KubeconfigError`.
 */
export async function clusterConnection(
  { aws, kubeconfig, context }: Settings["cluster"],
  environment: NodeJS.ProcessEnv,
  clock: Clock,
): Promise<ContextConnection> {
  if (aws === undefined) return loadConnection({ file: kubeconfig, context, environment, clock });
  const { awsConnection } = await import("../../shared/kube/aws/index.ts");
  const name = aws.eksCluster ?? new URL(aws.server).hostname;
  return { ...awsConnection(aws, environment, clock), context: undefined, cluster: name, files: [] };
}
