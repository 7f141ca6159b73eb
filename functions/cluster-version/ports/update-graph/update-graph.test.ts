import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { MOST } from "../../../../shared/requests/remembered.ts";
import { configuredUpdateGraph } from "./adapters/configured.ts";
import { httpUpdateGraph } from "./adapters/http.ts";
import { memoryUpdateGraph } from "./adapters/memory.ts";
import { prometheusQueries } from "./adapters/prometheus.ts";

let respond: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
const requests: IncomingMessage[] = [];
const server = createServer((request, response) => {
  requests.push(request);
  respond(request, response);
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json = (text: string, status = 200) => {
  respond = (_, response) => response.writeHead(status, { "content-type": "application/json" }).end(text);
};
const query = (more: object = {}) => ({
  upstream: `${origin}/graph?extra=1`,
  architecture: "amd64",
  channel: "steady-5.2",
  clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11",
  version: "5.1.9+1",
  ...more,
});
/** One question to a fresh adapter. */
const asked = (options: object = {}, more: object = {}) =>
  httpUpdateGraph({ clock: new ManualClock(), ...options }).fetch(query(more));

describe("an update service over HTTP", () => {
  test("is asked with the query, after what its URL asks already", async () => {
    json('{"nodes":[]}');
    assert.deepEqual(await asked(), { state: "answered", graph: { nodes: [] } });
    assert.equal(
      requests.at(-1)?.url,
      "/graph?arch=amd64&channel=steady-5.2&extra=1&id=6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11&version=5.1.9%2B1",
    );
    assert.equal(requests.at(-1)?.headers.accept, "application/json");
  });

  test("that answers with another status has failed", async () => {
    json("{}", 503);
    assert.deepEqual(await asked(), {
      state: "failed",
      reason: "ResponseFailed",
      message: "unexpected HTTP status: 503 Service Unavailable",
    });
  });

  test("that answers with no JSON is invalid", async () => {
    json("<html>");
    const answer = await asked();
    assert.deepEqual(answer, {
      state: "failed",
      reason: "ResponseInvalid",
      message: "the answer is no JSON",
    });
  });

  test("is followed within its own origin, and nowhere else", async (t) => {
    respond = ({ url = "" }, response) =>
      url.startsWith("/graph")
        ? response.writeHead(302, { location: "/moved" }).end()
        : response.writeHead(200).end("{}");
    assert.deepEqual(await asked(), { state: "answered", graph: {} });
    let reached = 0;
    const other = createServer((_, response) => {
      reached += 1;
      response.end("a secret of another server");
    });
    t.onTestFinished(() => void other.close());
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const elsewhere = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    respond = (_, response) => response.writeHead(307, { location: elsewhere }).end();
    assert.deepEqual(await asked(), {
      state: "failed",
      reason: "ResponseFailed",
      message: "it leads to another server",
    });
    assert.equal(reached, 0);
    respond = (_, response) => response.writeHead(302, { location: "/graph" }).end();
    assert.deepEqual(await asked(), {
      state: "failed",
      reason: "ResponseFailed",
      message: "it leads on and on",
    });
  });

  test("is not quoted where it fails", async () => {
    respond = (_, response) => {
      response.statusMessage = "a secret of the server";
      response.writeHead(500).end();
    };
    assert.deepEqual(await asked(), {
      state: "failed",
      reason: "ResponseFailed",
      message: "unexpected HTTP status: 500 Internal Server Error",
    });
  });

  test("that is not there has failed remotely, and why is told", async () => {
    const answer = await asked({}, { upstream: "http://127.0.0.1:1/graph" });
    assert.equal(answer.state === "failed" && answer.reason, "RemoteFailed");
    assert.match(answer.state === "failed" ? answer.message : "", /fetch failed: .+/);
  });

  for (const upstream of ["::", "ftp://host/graph", "file:///etc/passwd"])
    test(`cannot be at ${upstream}`, async () => {
      const answer = await asked({}, { upstream });
      assert.equal(answer.state === "failed" && answer.reason, "InvalidRequest");
    });

  test("that answers too much is cut off", async () => {
    json(JSON.stringify("x".repeat(5_000)));
    assert.deepEqual(await asked({ maximumBytes: 1_000 }), {
      state: "failed",
      reason: "ResponseFailed",
      message: "the answer is larger than 1000 bytes",
    });
  });

  test("that does not answer in time is left", async () => {
    const clock = new ManualClock();
    respond = () => void clock.advance(30_000);
    assert.deepEqual(await asked({ clock }), {
      state: "failed",
      reason: "RemoteFailed",
      message: "no answer within 30 s",
    });
  });

  test("is asked once for those who ask at the same time, and again only after a while or for something else", async () => {
    const clock = new ManualClock();
    const graph = httpUpdateGraph({ clock });
    json("{}", 500);
    const before = requests.length;
    const count = () => requests.length - before;
    const [one, other] = await Promise.all([graph.fetch(query()), graph.fetch(query())]);
    assert.deepEqual(one, other);
    await clock.advance(119_999);
    await graph.fetch(query());
    assert.equal(count(), 1);
    await graph.fetch(query({ channel: "other" }));
    assert.equal(count(), 2);
    await clock.advance(1);
    json("{}");
    assert.equal((await graph.fetch(query())).state, "answered");
    assert.equal(count(), 3);
  });

  test("cannot tell about a risk where nobody evaluates it", async () =>
    assert.equal((await httpUpdateGraph().evaluate("up")).state, "failed"));
});

describe("a risk asked of Prometheus", () => {
  const vector = (...values: string[]) =>
    JSON.stringify({
      status: "success",
      data: { resultType: "vector", result: values.map((value) => ({ metric: {}, value: [1, value] })) },
    });
  const verdict = (options: object = {}) =>
    prometheusQueries({ url: origin, clock: new ManualClock(), ...options })("up");
  for (const [name, text, expected] of [
    ["1 is a match", vector("1"), { state: "match" }],
    ["0 is none", vector("0"), { state: "no match" }],
    [
      "so for a scalar",
      '{"status":"success","data":{"resultType":"scalar","result":[1,"1"]}}',
      { state: "match" },
    ],
    [
      "no time series is a failure",
      vector(),
      { state: "failed", cause: "the query gives 0 time series instead of one" },
    ],
    [
      "two are a failure",
      vector("1", "1"),
      { state: "failed", cause: "the query gives 2 time series instead of one" },
    ],
    [
      "another number is a failure",
      vector("0.5"),
      { state: "failed", cause: "the query gives another value than 0 or 1" },
    ],
    [
      "something else is a failure",
      "{",
      { state: "failed", cause: "the answer is none that Prometheus gives to a query" },
    ],
  ] as const)
    test(name, async () => {
      json(text);
      assert.deepEqual(await verdict(), expected);
    });

  test("is asked with the token", async () => {
    json(vector("1"));
    await verdict({ token: async () => "t" });
    assert.equal(requests.at(-1)?.headers.authorization, "Bearer t");
    assert.equal(requests.at(-1)?.url, "/api/v1/query?query=up");
  });

  test("is not asked without the token that it needs", async () => {
    const token = () => Promise.reject(new Error("no file"));
    assert.deepEqual(await verdict({ token }), { state: "failed", cause: "no token: no file" });
  });

  test("stands for ten minutes, a failure for one", async () => {
    const clock = new ManualClock();
    const ask = prometheusQueries({ url: origin, clock });
    json("{}", 500);
    assert.equal((await ask("up")).state, "failed");
    json(vector("1"));
    await clock.advance(59_999);
    assert.equal((await ask("up")).state, "failed");
    await clock.advance(1);
    assert.equal((await ask("up")).state, "match");
    json(vector("0"));
    await clock.advance(599_999);
    assert.equal((await ask("up")).state, "match");
    await clock.advance(1);
    assert.equal((await ask("up")).state, "no match");
  });

  test("is remembered for as many queries as one cluster has, then the oldest is asked anew", async () => {
    const clock = new ManualClock();
    const asked: (string | null)[] = [];
    const ask = prometheusQueries({
      url: origin,
      clock,
      fetch: async (url) => {
        asked.push(new URL(String(url)).searchParams.get("query"));
        return new Response(vector("1"));
      },
    });
    for (let index = 0; index <= MOST; index += 1) await ask(`q${index}`);
    assert.equal(asked.length, MOST + 1);
    // Beyond the minute for which an answer of any sort stands.
    await clock.advance(61_000);
    asked.length = 0;
    for (let index = 1; index <= MOST; index += 1) await ask(`q${index}`);
    assert.deepEqual(asked, []);
    await ask("q0");
    assert.deepEqual(asked, ["q0"]);
  });
});

describe("as it is configured", () => {
  const ask = (prometheus: { url: string; tokenFile: string }) =>
    configuredUpdateGraph({ prometheus }).evaluate("up");
  test("nobody is asked about risks without a Prometheus", async () =>
    assert.deepEqual(await ask({ url: "", tokenFile: "" }), {
      state: "failed",
      cause: "no evaluator of PromQL is set up",
    }));
  test("the token comes from its file, without the line's end", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "update-graph-"));
    t.onTestFinished(() => rm(folder, { recursive: true }));
    const tokenFile = join(folder, "token");
    await writeFile(tokenFile, "secret\n");
    json('{"status":"success","data":{"resultType":"scalar","result":[1,"1"]}}');
    assert.deepEqual(await ask({ url: origin, tokenFile }), { state: "match" });
    assert.equal(requests.at(-1)?.headers.authorization, "Bearer secret");
    await ask({ url: origin, tokenFile: "" });
    assert.equal(requests.at(-1)?.headers.authorization, undefined);
  });
});

test("what is kept in memory says what it was told, and nobody changes it", async () => {
  const graph = memoryUpdateGraph({ nodes: [{ version: "1.0.0" }] });
  const first = await graph.fetch(query());
  if (first.state === "answered") (first.graph as { nodes: unknown[] }).nodes.pop();
  assert.deepEqual(await graph.fetch(query()), {
    state: "answered",
    graph: { nodes: [{ version: "1.0.0" }] },
  });
  graph.verdict("up", { state: "match" });
  assert.deepEqual(await graph.evaluate("up"), { state: "match" });
  assert.equal((await graph.evaluate("down")).state, "failed");
  assert.equal(graph.asked.length, 2);
});
