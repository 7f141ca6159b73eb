import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "vitest";
import { KubeError } from "./errors.ts";
import { noCredentials } from "./http/connection.ts";
import { createKubeClient } from "./http-client.ts";
import { PageSize, weightOf } from "./page-size.ts";

const MEBIBYTE = 1024 * 1024;
const widgets = {
  group: "bench.example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
} as const;

test("a page is small at first, then as large as what came lets it be, and halves where an answer was too large", () => {
  const size = new PageSize(500, false);
  assert.equal(size.limit, 20);
  size.came(20, 20 * 1024);
  assert.equal(size.limit, 500);
  size.came(500, 500 * MEBIBYTE);
  assert.equal(size.limit, 2);
  assert.ok(size.halve());
  assert.equal(size.limit, 1);
  assert.equal(size.mostWeight, undefined);
  assert.equal(size.halve(), false);
  size.came(1, 100 * MEBIBYTE);
  assert.equal(size.limit, 1);
  assert.equal(new PageSize(500, true).limit, 500);
});

/** A client of a server that lists 60 objects of these specs; the limits that it is asked for. */
async function listing(t: TestContext, specOf: (index: number) => unknown) {
  const names = Array.from({ length: 60 }, (_, index) => `w${index}`);
  const limits: number[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://x");
    const limit = Number(searchParams.get("limit"));
    const from = Number(searchParams.get("continue") ?? 0);
    limits.push(limit);
    const items = names.slice(from, from + limit).map((name, index) => ({
      metadata: { name },
      spec: specOf(from + index),
    }));
    const next = from + limit < names.length ? String(from + limit) : "";
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ items, metadata: { resourceVersion: "1", continue: next } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = createKubeClient({
    connection: {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      namespace: "d",
      tls: {},
      credentials: noCredentials,
      headers: {},
    },
  });
  t.onTestFinished(() => {
    client.close();
    server.close();
  });
  return { client, names, limits };
}

test("a list of large objects is read in pages that fit, and none is left out", async (t) => {
  const { client, names, limits } = await listing(t, (index) => ({
    x: "x".repeat(index < 30 ? 10 : MEBIBYTE),
  }));
  const got: string[] = [];
  let largest = 0;
  for await (const page of client.pages(widgets)) {
    got.push(...page.items.map(({ metadata }) => metadata.name));
    largest = Math.max(largest, page.weight ?? 0);
  }
  assert.deepEqual(got, names);
  assert.ok(largest <= 8 * MEBIBYTE, `${largest} bytes`);
  assert.deepEqual(limits.slice(0, 2), [20, 500]);
});

test("a list begins with pages as large as the last of its kind ended with", async (t) => {
  const { client, limits } = await listing(t, () => ({ x: "x" }));
  for (let lists = 0; lists < 2; lists++)
    for await (const { items } of client.pages(widgets)) assert.ok(items.length > 0);
  assert.deepEqual(limits, [20, 500, 500]);
  for await (const { items } of client.pages({ ...widgets, plural: "gadgets" })) assert.ok(items.length > 0);
  assert.equal(limits[3], 20);
});

test("objects of nothing but small values are read in smaller pages: they take many times their text", async (t) => {
  const { client, names } = await listing(t, () => ({ x: Array.from({ length: 40_000 }, () => ({})) }));
  const got: string[] = [];
  for await (const page of client.pages(widgets)) {
    got.push(...page.items.map(({ metadata }) => metadata.name));
    assert.ok(page.items.length <= 6, `${page.items.length} objects of 40,000 values at once`);
  }
  assert.deepEqual(got, names);
  assert.equal(weightOf('{"a":"some text of a usual length","b":1}'), 41);
  assert.equal(weightOf("[{},{}]"), 4 * 16);
});

test("an answer that is too large may be asked for again: it is no fault of who asks", () => {
  const error = new KubeError("invalid", "too large", { request: "GET /", code: "KUBE_TOO_LARGE" });
  assert.equal(error.retryable, true);
});
