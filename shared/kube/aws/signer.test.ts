import assert from "node:assert/strict";
import { test } from "vitest";
import { signer } from "./signer.ts";

test("a request with a body is signed as botocore 1.44 signs it", async () => {
  const identity = async () => ({
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    sessionToken: "TOK",
  });
  const hostname = "secretsmanager.eu-central-1.amazonaws.com";
  const { headers } = await signer("secretsmanager", "eu-central-1", identity).sign(
    {
      method: "POST",
      protocol: "https:",
      hostname,
      path: "/",
      headers: {
        host: hostname,
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "secretsmanager.GetSecretValue",
      },
      body: '{"SecretId":"x"}',
    },
    { signingDate: new Date("2026-01-02T03:04:05Z") },
  );
  assert.equal(
    headers.authorization,
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260102/eu-central-1/secretsmanager/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=ab9f0442bfd386f9d27be29ac8b6fbe39be8b9f82ba4410e6264771f10cbe8d1",
  );
});
