import assert from "node:assert/strict";
import { test } from "vitest";
import { eksToken } from "./eks-token.ts";
import type { AwsIdentity } from "./identity.ts";

const at = Date.parse("2026-01-02T03:04:05Z");
const keys: AwsIdentity = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

/** What was signed, and the signatures that botocore 1.44 makes of the same. */
const golden: readonly [string, string, AwsIdentity, string, string][] = [
  [
    "blue",
    "eu-central-1",
    keys,
    "sts.eu-central-1.amazonaws.com",
    "8e8f6a7fa3c99e41427c0b683a4a495a9c4649f934e299667ea12cb199e0e33c",
  ],
  [
    "blue",
    "eu-central-1",
    { ...keys, sessionToken: "IQoJb3JpZ2luX2VjEA//+==" },
    "sts.eu-central-1.amazonaws.com",
    "361c184a72e823f8a1c8e4ee7973e32b9468e5c8786202f3e1a5472e46de58c8",
  ],
  [
    "red",
    "cn-north-1",
    keys,
    "sts.cn-north-1.amazonaws.com.cn",
    "ed4d0bafa85bfc3401077f56d983682a558dcc1fe1388882fd3d38e470be3c1c",
  ],
];

for (const [cluster, region, identity, host, signature] of golden)
  test(`a token for ${cluster} in ${region}${identity.sessionToken === undefined ? "" : " of a role"} is what AWS's own tools make`, async () => {
    const { token, expires } = await eksToken({ cluster, region, identity: async () => identity }, at);
    assert.match(token, /^k8s-aws-v1\.[A-Za-z0-9_-]+$/);
    const url = new URL(Buffer.from(token.slice("k8s-aws-v1.".length), "base64url").toString());
    assert.equal(url.host, host);
    assert.deepEqual(
      Object.fromEntries([...url.searchParams].sort(([one], [other]) => (one < other ? -1 : 1))),
      {
        Action: "GetCallerIdentity",
        Version: "2011-06-15",
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": `AKIDEXAMPLE/20260102/${region}/sts/aws4_request`,
        "X-Amz-Date": "20260102T030405Z",
        "X-Amz-Expires": "60",
        ...(identity.sessionToken !== undefined && { "X-Amz-Security-Token": identity.sessionToken }),
        "X-Amz-Signature": signature,
        "X-Amz-SignedHeaders": "host;x-k8s-aws-id",
      },
    );
    assert.equal(expires, at + 15 * 60_000);
  });
