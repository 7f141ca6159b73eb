import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "vitest";
import { createAuthority } from "../../shared/tls/index.ts";
import { post } from "./post.ts";

test("JSON is posted to a server that stems from the authorities, and to no other", async (t) => {
  const authority = createAuthority();
  const { certificate, key } = authority.issue({ commonName: "hooks", serverNames: ["127.0.0.1"] });
  let answer = JSON.stringify({ status: "Success" });
  const asked: string[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    request.on("data", (text) => asked.push(`${request.method} ${request.url} ${String(text)}`));
    request.on("end", () => response.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/discovery?timeout=10s`;
  const options = { authorities: authority.certificate, timeoutMilliseconds: 10_000 };
  assert.deepEqual(await post(url, { a: 1 }, options), { status: "Success" });
  assert.deepEqual(asked, ['POST /discovery?timeout=10s {"a":1}']);
  answer = "no JSON";
  await assert.rejects(post(url, {}, options), /answered 200 with what is no JSON/);
  await assert.rejects(post(url, {}, { timeoutMilliseconds: 10_000 }), /certificate/);
});
