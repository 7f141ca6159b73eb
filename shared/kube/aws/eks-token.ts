import type { AwsIdentitySource } from "./identity.ts";
import { hostOf, signer } from "./signer.ts";

export interface EksTokenOptions {
  /** The cluster's name in EKS: a token for one cluster is of no use at another. */
  readonly cluster: string;
  readonly region: string;
  readonly identity: AwsIdentitySource;
}

/** A token and when EKS takes it no longer, in milliseconds since the epoch. */
export interface EksToken {
  readonly token: string;
  readonly expires: number;
}

/** For how long the presigned request may be sent. EKS sends it at once. */
const REQUEST_SECONDS = 60;
/** For how long after the signature EKS takes it. */
const LIFETIME_MILLISECONDS = 15 * 60_000;

/**
 * A token for an EKS cluster: `k8s-aws-v1.` and a presigned STS GetCallerIdentity, which the cluster sends to find out who asks.
 * Made without any request. Its form is aws-iam-authenticator's (the README of kubernetes-sigs/aws-iam-authenticator).
 */
export async function eksToken(options: EksTokenOptions, now: number): Promise<EksToken> {
  const { cluster, region, identity } = options;
  const hostname = hostOf("sts", region);
  const request = await signer("sts", region, identity).presign(
    {
      method: "GET",
      protocol: "https:",
      hostname,
      path: "/",
      query: { Action: "GetCallerIdentity", Version: "2011-06-15" },
      headers: { host: hostname, "x-k8s-aws-id": cluster },
    },
    { signingDate: new Date(now), expiresIn: REQUEST_SECONDS },
  );
  const query = Object.entries(request.query ?? {})
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join("&");
  return {
    token: `k8s-aws-v1.${Buffer.from(`https://${hostname}/?${query}`).toString("base64url")}`,
    expires: now + LIFETIME_MILLISECONDS,
  };
}
