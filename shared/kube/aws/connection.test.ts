import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, test } from "vitest";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { createAuthority } from "../../tls/index.ts";
import { KubeError } from "../errors.ts";
import { createKubeClient } from "../http-client.ts";
import { KubeconfigError } from "../kubeconfig/index.ts";
import { awsConnection } from "./connection.ts";
import { type AwsClusterOptions, awsClusterOptions } from "./options.ts";

const authority = createAuthority();
const stop: (() => void)[] = [];
afterAll(() => {
  for (const each of stop) each();
});

const environment = {
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  AWS_SESSION_TOKEN: "TOK",
  AWS_REGION: "eu-central-1",
};
const start = Date.parse("2026-01-02T03:04:05Z");
const arn = "arn:aws:secretsmanager:eu-central-1:000000000000:secret:reveille-token";
const minute = 60_000;

/** An API server that takes the tokens that `takes` says yes to, and notes all that it was shown. */
async function apiServer(takes: (token: string) => boolean) {
  const shown: string[] = [];
  const pair = authority.issue({ commonName: "api", serverNames: ["127.0.0.1"] });
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    shown.push(token);
    response.statusCode = takes(token) ? 200 : 401;
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stop.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { shown, server: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** An AWS service that answers as `answer` says, and notes what it was asked. */
async function service(answer: () => { readonly status?: number; readonly body: unknown }) {
  const asked: { target: string; authorization: string; body: unknown }[] = [];
  const server = createPlainServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push({
      target: String(request.headers["x-amz-target"]),
      authorization: String(request.headers.authorization),
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    const { status = 200, body } = answer();
    response.statusCode = status;
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stop.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function connect(
  options: Omit<AwsClusterOptions, "certificateAuthority">,
  clock: ManualClock,
  more: Record<string, string> = {},
) {
  const connection = awsConnection(
    { certificateAuthority: Buffer.from(authority.certificate).toString("base64"), ...options },
    { ...environment, ...more },
    clock,
  );
  const client = createKubeClient({ connection, clock });
  stop.push(() => client.close());
  return client;
}

/** When an EKS token was signed. */
const signedAt = (token: string): string | null =>
  new URL(Buffer.from(token.slice("k8s-aws-v1.".length), "base64url").toString()).searchParams.get(
    "X-Amz-Date",
  );

const jwt = (name: string, expires: number): string =>
  [{ alg: "none" }, { sub: name, exp: expires / 1000 }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat(name)
    .join(".");

test("an EKS token is used for 14 minutes, then the next one is signed", async () => {
  const clock = new ManualClock(start);
  const api = await apiServer(() => true);
  const client = connect({ server: api.server, eksCluster: "blue" }, clock);
  for (const passed of [0, 14 * minute - 1, 1, 14 * minute]) {
    clock.advance(passed);
    await client.raw("GET", "/version");
  }
  assert.deepEqual(api.shown.map(signedAt), [
    "20260102T030405Z",
    "20260102T030405Z",
    "20260102T031805Z",
    "20260102T033205Z",
  ]);
  assert.equal(new Set(api.shown).size, 3);
});

test("an EKS token that is refused is replaced at once, and a second refusal is told", async () => {
  const clock = new ManualClock(start);
  let refused = "";
  const api = await apiServer((token) => token !== refused);
  const client = connect({ server: api.server, eksCluster: "blue" }, clock);
  await client.raw("GET", "/version");
  refused = api.shown[0] ?? "";
  clock.advance(1000);
  await client.raw("GET", "/version");
  assert.deepEqual(api.shown.slice(1).map(signedAt), ["20260102T030405Z", "20260102T030406Z"]);

  const closed = await apiServer(() => false);
  await assert.rejects(
    connect({ server: closed.server, eksCluster: "blue" }, clock).raw("GET", "/version"),
    (error) => error instanceof KubeError && error.kind === "unauthorized",
  );
  assert.equal(closed.shown.length, 2);
});

test("a stored token is read by its ARN, signed as AWS's own tools do, and read again before it ends", async () => {
  const clock = new ManualClock(start);
  const api = await apiServer(() => true);
  let held = jwt("one", start + 4 * minute);
  const aws = await service(() => ({ body: { SecretString: `${held}\n` } }));
  const client = connect({ server: api.server, tokenArn: arn }, clock, { AWS_ENDPOINT_URL: aws.endpoint });
  const next = jwt("two", start + 60 * minute);
  const seen = async (passed: number): Promise<string | undefined> => {
    clock.advance(passed);
    await client.raw("GET", "/version");
    return api.shown.at(-1);
  };
  assert.equal(await seen(0), held);
  assert.equal(await seen(3 * minute - 1), held);
  held = next;
  assert.equal(await seen(1), next);
  assert.equal(aws.asked.length, 2);
  assert.equal(await seen(5 * minute - 1), next);
  assert.equal(aws.asked.length, 2);
  // A token that was rotated early is known after five minutes, not after an hour.
  held = jwt("three", start + 60 * minute);
  assert.equal(await seen(1), held);
  assert.deepEqual(
    [aws.asked[0]?.target, aws.asked[0]?.body],
    ["secretsmanager.GetSecretValue", { SecretId: arn }],
  );
  assert.match(
    aws.asked[0]?.authorization ?? "",
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260102\/eu-central-1\/secretsmanager\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=[0-9a-f]{64}$/,
  );
});

test("a token that has ended, or says no end, is asked for again soon", async () => {
  const clock = new ManualClock(start);
  const api = await apiServer(() => true);
  let held = jwt("late", start - minute);
  const aws = await service(() => ({ body: { Parameter: { Value: held } } }));
  const parameter = "arn:aws:ssm:eu-central-1:000000000000:parameter/reveille/token";
  const client = connect({ server: api.server, tokenArn: parameter }, clock, {
    AWS_ENDPOINT_URL_SSM: aws.endpoint,
  });
  await client.raw("GET", "/version");
  held = "opaque";
  clock.advance(5000);
  await client.raw("GET", "/version");
  clock.advance(5 * minute);
  await client.raw("GET", "/version");
  assert.deepEqual(api.shown.slice(1), ["opaque", "opaque"]);
  assert.deepEqual(
    aws.asked.map(({ target, body }) => [target, body]),
    Array(3).fill(["AmazonSSM.GetParameter", { Name: parameter, WithDecryption: true }]),
  );
});

test("what goes wrong with a secret is told with its ARN, and never with its value", async () => {
  const clock = new ManualClock(start);
  const api = await apiServer(() => true);
  const answers: readonly [number, unknown, RegExp][] = [
    [400, { __type: "AccessDeniedException", message: "not yours" }, /says 400 .*AccessDeniedException/],
    [200, "<html>sssh", /no JSON/],
    [200, { SecretBinary: "sssh" }, /holds no text/],
  ];
  for (const [status, body, message] of answers) {
    const aws = await service(() => ({ status, body }));
    const client = connect({ server: api.server, tokenArn: arn }, clock, { AWS_ENDPOINT_URL: aws.endpoint });
    await assert.rejects(client.raw("GET", "/version"), (error) => {
      assert.ok(error instanceof Error);
      const told = error instanceof KubeconfigError ? error : error.cause;
      assert.ok(told instanceof KubeconfigError, String(error));
      assert.equal(told.code, "KUBECONFIG_SECRET_FAILED");
      assert.match(told.message, message);
      assert.ok(told.message.includes(arn) && !told.message.includes("sssh"), told.message);
      return true;
    });
  }
  assert.deepEqual(api.shown, []);
});

test("without an identity, region or way to sign in there is a sentence that says what to do", async () => {
  const server = "https://127.0.0.1:1";
  const certificateAuthority = authority.certificate;
  const both = { server, certificateAuthority, eksCluster: "blue", tokenArn: arn };
  for (const options of [both, { server, certificateAuthority }])
    assert.match(awsClusterOptions.safeParse(options).error?.message ?? "", /either eksCluster or tokenArn/);
  assert.throws(
    () => awsConnection({ server, certificateAuthority, eksCluster: "blue" }, {}, new ManualClock()),
    /AWS_REGION/,
  );
  const { credentials } = awsConnection(
    { server, certificateAuthority, eksCluster: "blue", region: "eu-central-1" },
    {},
    new ManualClock(),
  );
  await assert.rejects(async () => credentials.current(), { code: "KUBECONFIG_AWS_IDENTITY" });
});
