import { KubeconfigError } from "../kubeconfig/errors.ts";

/** Keys of an AWS identity. Those of a role last some hours and come with a session token. */
export interface AwsIdentity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Asked before each signature: whoever knows of newer keys gives them. Any provider of the AWS SDK fits. */
export type AwsIdentitySource = () => Promise<AwsIdentity>;

/** The identity that Lambda puts into the environment of a function: its role's. Throws a `KubeconfigError`. */
export function environmentIdentity(environment: NodeJS.ProcessEnv): AwsIdentitySource {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
      throw new KubeconfigError(
        "KUBECONFIG_AWS_IDENTITY",
        "There are no AWS keys in the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY): Lambda sets them for a function that has a role",
      );
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    };
  };
}
