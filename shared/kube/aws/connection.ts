import * as z from "zod";
import type { Clock } from "../../clock/clock.ts";
import type { Connection, Credentials } from "../http/connection.ts";
import { KubeconfigError } from "../kubeconfig/errors.ts";
import { eksCredentials } from "./eks-credentials.ts";
import { environmentIdentity } from "./identity.ts";
import { SECRET_ARN, secretValue } from "./secret-value.ts";
import { storedTokenCredentials } from "./stored-token.ts";

/** How a cluster is reached from AWS without a kubeconfig: by address, and by a token that does not last. */
export const awsClusterOptions = z
  .object({
    server: z
      .url({ protocol: /^https$/ })
      .describe("The API server's address, as `aws eks describe-cluster` calls it `endpoint`."),
    certificateAuthority: z
      .string()
      .min(1)
      .describe(
        "What signs the API server's certificate: PEM, or the base64 of it, as `certificateAuthority.data` is.",
      ),
    eksCluster: z
      .string()
      .min(1)
      .optional()
      .describe("The cluster's name in EKS: the function's own IAM role is then who asks."),
    tokenArn: z
      .string()
      .regex(SECRET_ARN, "give the ARN of a Secrets Manager secret or of a Systems Manager parameter")
      .optional()
      .describe("Where a service account's token lies: the ARN of a secret, or of a parameter."),
    region: z.string().min(1).optional().describe("The cluster's region. Default: the function's own."),
  })
  .refine(({ eksCluster, tokenArn }) => (eksCluster === undefined) !== (tokenArn === undefined), {
    error: "give either eksCluster or tokenArn",
  });
export type AwsClusterOptions = z.output<typeof awsClusterOptions>;

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
