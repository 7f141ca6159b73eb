import { type AwsIdentitySource, environmentIdentity } from "../../../shared/kube/aws/identity.ts";

/**
 * Stands in a Lambda's bundle for the AWS SDK's chain of credential providers, a quarter of all its code: on Lambda the role's keys
 * are in the environment, and nowhere else.
 */
export const defaultProvider = (): AwsIdentitySource => environmentIdentity(process.env);
