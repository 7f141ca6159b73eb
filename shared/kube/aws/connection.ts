import type { Clock } from "../../clock/clock.ts";
import type { Connection, Credentials } from "../http/connection.ts";
import { KubeconfigError } from "../kubeconfig/errors.ts";
import { eksCredentials } from "./eks-credentials.ts";
import { environmentIdentity } from "./identity.ts";
import type { AwsClusterOptions } from "./options.ts";
import { secretValue } from "./secret-value.ts";
import { storedTokenCredentials } from "./stored-token.ts";

/** The connection of a Lambda function to a cluster. Throws a `KubeconfigError`. */
export function awsConnection(
  options: AwsClusterOptions,
  environment: NodeJS.ProcessEnv,
  clock: Clock,
): Connection {
  const { server, certificateAuthority } = options;
  return {
    server: server.replace(/\/+$/, ""),
    namespace: "default",
    tls: {
      ca: certificateAuthority.includes("-----BEGIN")
        ? certificateAuthority
        : Buffer.from(certificateAuthority, "base64").toString("utf8"),
    },
    credentials: credentialsOf(options, environment, clock),
    headers: {},
  };
}

function credentialsOf(
  { eksCluster, tokenArn, region }: AwsClusterOptions,
  environment: NodeJS.ProcessEnv,
  clock: Clock,
): Credentials {
  const identity = environmentIdentity(environment);
  if (tokenArn !== undefined) {
    const { AWS_ENDPOINT_URL_SECRETS_MANAGER, AWS_ENDPOINT_URL_SSM, AWS_ENDPOINT_URL } = environment;
    const own = tokenArn.includes(":ssm:") ? AWS_ENDPOINT_URL_SSM : AWS_ENDPOINT_URL_SECRETS_MANAGER;
    const endpoint = own ?? AWS_ENDPOINT_URL;
    return storedTokenCredentials(
      () => secretValue({ arn: tokenArn, identity, endpoint }, clock.now()),
      clock,
    );
  }
  const where = region ?? environment.AWS_REGION;
  if (eksCluster === undefined || !where)
    throw new KubeconfigError(
      "KUBECONFIG_INVALID",
      "An EKS cluster is reached by its name and region: give eksCluster, and region where AWS_REGION is not set",
    );
  return eksCredentials({ cluster: eksCluster, region: where, identity }, clock);
}
