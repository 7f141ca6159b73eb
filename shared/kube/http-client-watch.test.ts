import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "vitest";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import { failure, playedServers, text, widgets } from "../../infra/testing/played-server.ts";
import type { WatchEvent } from "./client.ts";

const { serve, connect } = playedServers();
const event = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { kind: "Widget", apiVersion: "bench.example.org/v1", metadata: { name, resourceVersion: "7" } } })}\n`;
const names = (events: readonly WatchEvent[]): string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`);

test("a watch reads lines in order, also one cut within a character", async () => {
  const { url, seen } = await serve((response) => {
    const bytes = Buffer.from(event("ADDED", "a") + event("MODIFIED", "größe-日本") + event("DELETED", "c"));
    response.writeHead(200);
    const pieces = [
      bytes.subarray(0, 20),
      ...Array.from(bytes.subarray(20, -30), (byte) => Buffer.from([byte])),
      bytes.subarray(-30),
    ];
    const next = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) response.end();
      else response.write(piece, () => setImmediate(next));
    };
    next();
  });
  const events: WatchEvent[] = [];
  let opened = 0;
  const end = await connect(url).watch(widgets, {
    namespace: "team",
    resourceVersion: "5",
    metadataOnly: true,
    timeoutSeconds: 300,
    onEvent: (it) => events.push(it),
    onOpen: () => opened++,
  });
  assert.deepEqual(end, { reason: "closed" });
  assert.equal(opened, 1);
  assert.deepEqual(names(events), ["ADDED a", "MODIFIED größe-日本", "DELETED c"]);
  assert.equal(
    seen[0]?.url,
    "/apis/bench.example.org/v1/namespaces/team/widgets?watch=1&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=300",
  );
});

test("a watch says how it ended", async () => {
  const begin = (response: ServerResponse): ServerResponse => {
    response.writeHead(200).write(event("ADDED", "a"));
    return response;
  };
  const clock = new ManualClock();
  let cutOff = (): unknown => assert.fail("no request came");
  const midLine = await serve((response) => begin(response).end('{"type":"MODI'));
  const reset = await serve((response, request) => {
    begin(response);
    cutOff = () => request.socket.resetAndDestroy();
  });
  const garbage = await serve((response) => begin(response).end("no json\n"));
  const foreign = await serve((response) => begin(response).end('{"message":"back at 8"}\n'));
  const hangs = await serve((response) => begin(response));
  const watch = async (url: string, act: (controller: AbortController) => void = () => undefined) => {
    const controller = new AbortController();
    const events: WatchEvent[] = [];
    const end = await connect(url, { clock }).watch(widgets, {
      resourceVersion: "5",
      silenceMilliseconds: 70_000,
      signal: controller.signal,
      onEvent: (it) => {
        events.push(it);
        act(controller);
      },
    });
    assert.equal(clock.alarms, 0, "no timer is left");
    return { reason: end.reason, events: names(events) };
  };
  assert.deepEqual(await watch(midLine.url), { reason: "broken", events: ["ADDED a"] });
  assert.deepEqual(await watch(reset.url, () => cutOff()), { reason: "broken", events: ["ADDED a"] });
  assert.deepEqual(await watch(garbage.url), { reason: "broken", events: ["ADDED a"] });
  assert.deepEqual(await watch(foreign.url), { reason: "broken", events: ["ADDED a"] });
  assert.deepEqual(await watch(hangs.url, (controller) => controller.abort()), {
    reason: "aborted",
    events: ["ADDED a"],
  });
  assert.deepEqual(await watch(hangs.url, () => setImmediate(() => clock.advance(70_000))), {
    reason: "silent",
    events: ["ADDED a"],
  });
});

test("bytes put silence off", async () => {
  const clock = new ManualClock();
  let last: ServerResponse | undefined;
  const { url } = await serve((response) => {
    last = response;
    response.writeHead(200).write(event("ADDED", "a"));
  });
  const events: WatchEvent[] = [];
  const end = await connect(url, { clock }).watch(widgets, {
    resourceVersion: "5",
    silenceMilliseconds: 70_000,
    onEvent: (it) => {
      events.push(it);
      clock.advance(60_000);
      if (events.length < 4) last?.write(event("BOOKMARK", "b"));
      else last?.end();
    },
  });
  assert.equal(end.reason, "closed");
  assert.equal(events.length, 4);
});

test("a refused watch throws, an ERROR in it is the caller's, and what the callback throws is not swallowed", async () => {
  const refused = await serve(text(429, "storage is (re)initializing", { "retry-after": "1" }));
  const error = await failure(
    connect(refused.url).watch(widgets, { resourceVersion: "5", onEvent: () => undefined }),
  );
  assert.equal(error.kind, "throttled");
  assert.equal(error.retryAfterMilliseconds, 1000);
  assert.equal(refused.seen.length, 1);

  const gone = await serve((response) => {
    response
      .writeHead(200)
      .end(
        `${JSON.stringify({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } })}\n`,
      );
  });
  const events: WatchEvent[] = [];
  await connect(gone.url).watch(widgets, { resourceVersion: "5", onEvent: (it) => events.push(it) });
  assert.deepEqual(events, [{ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } }]);

  const hangs = await serve((response) => {
    response.writeHead(200).write(event("ADDED", "a"));
  });
  await assert.rejects(
    connect(hangs.url).watch(widgets, {
      resourceVersion: "5",
      onEvent: () => {
        throw new RangeError("callback");
      },
    }),
    RangeError,
  );
});
