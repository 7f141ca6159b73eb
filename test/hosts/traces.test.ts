import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, it, type TestContext } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { Stage } from "./stage.ts";

const LIMIT = 60_000;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** Takes OTLP over HTTP in JSON, from those who bring the token. */
async function collector(t: TestContext): Promise<{ readonly url: string; readonly spans: Span[] }> {
  const spans: Span[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.headers.authorization === "Bearer abc" && request.url === "/v1/traces") {
      const { resourceSpans } = JSON.parse(body) as {
        readonly resourceSpans: readonly {
          readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
        }[];
      };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)));
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, spans };
}

describe("traces", () => {
  it("are sent where an endpoint is set, and are those of the log", async (t) => {
    const { url, spans } = await collector(t);
    const stage = await Stage.open(t);
    const worker = await stage.host(["run"], {
      REVEILLE_TRACES_ENDPOINT: url,
      REVEILLE_TRACES_HEADERS: '{"authorization": "Bearer abc"}',
      REVEILLE_RUNS_LIMIT: "10s",
      REVEILLE_RUNS_MAXIMUM_ATTEMPTS: "1",
    });
    await worker.readyz(200);
    await stage.make("one", { how: "well" });
    await stage.make("two", { how: "for ever" });
    await eventually("both runs are there", () => spans.length >= 2, LIMIT);
    const outcomeOf = (span: Span): unknown =>
      span.attributes.find(({ key }) => key === "reveille.outcome")?.value.stringValue;
    await eventually(
      "done and dead",
      () =>
        spans.some((span) => outcomeOf(span) === "done") && spans.some((span) => outcomeOf(span) === "dead"),
      LIMIT,
    );
    const dead = spans.find((span) => outcomeOf(span) === "dead");
    assert.equal(dead?.name, "trouble run");
    assert.match(
      worker.stdout(),
      new RegExp(`"trace_id":"${dead?.traceId}","span_id":"${dead?.spanId}".*"msg":"failed for good"`),
    );
    // What is left is sent at the end.
    await stage.make("three", { how: "well" });
    await eventually("it is done", async () => (await stage.says("three")) === "went well", LIMIT);
    worker.child.kill("SIGTERM");
    assert.equal((await worker.ended).code, 0);
    assert.ok(spans.some((span) => JSON.stringify(span.attributes).includes("/three")));
  });

  it("hold up nobody where the collector is away", async (t) => {
    const stage = await Stage.open(t);
    const worker = await stage.host(["run"], {
      REVEILLE_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces",
    });
    await worker.readyz(200);
    await stage.make("one", { how: "well" });
    await eventually("it is done", async () => (await stage.says("one")) === "went well", LIMIT);
    worker.child.kill("SIGTERM");
    assert.equal((await worker.ended).code, 0);
  });
});
