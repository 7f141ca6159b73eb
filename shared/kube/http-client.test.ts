import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, test } from "vitest";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import type { KubeClient, WatchEvent } from "./client.ts";
import { KubeError } from "./errors.ts";
import { type Credentials, fixedCredentials, noCredentials } from "./http/connection.ts";
import { createKubeClient, type KubeClientOptions } from "./http-client.ts";

const widgets = {
  group: "bench.example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
} as const;
const place = { namespace: "team", name: "one" };
const body = {
  apiVersion: "bench.example.org/v1",
  kind: "Widget",
  metadata: { name: "one", namespace: "team" },
};
const writer = { fieldManager: "test" };

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
type Play = (response: ServerResponse, request: IncomingMessage, body: string) => void;

const servers: Server[] = [];
const clients: KubeClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers the n-th request as the n-th play says; the last one goes on. */
async function serve(...plays: Play[]): Promise<{ readonly url: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const play = plays[Math.min(seen.length, plays.length - 1)];
      seen.push({
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: text,
      });
      play?.(response, request, text);
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { url: `http://127.0.0.1:${address.port}`, seen };
}

function connect(
  url: string,
  options: Partial<KubeClientOptions> & { readonly credentials?: Credentials } = {},
): KubeClient {
  const { credentials = noCredentials, ...rest } = options;
  const client = createKubeClient({
    connection: { server: url, namespace: "team", tls: {}, credentials, headers: {} },
    ...rest,
  });
  clients.push(client);
  return client;
}

const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Play =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };
const text =
  (status: number, value: string, headers: Record<string, string> = {}): Play =>
  (response) => {
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end(value);
  };
const status = (code: number, more: object = {}): Play =>
  json(code, { kind: "Status", apiVersion: "v1", status: "Failure", code, ...more });
const cut: Play = (_, request) => request.socket.destroy();

async function failure(attempt: Promise<unknown>): Promise<KubeError> {
  try {
    await attempt;
  } catch (error) {
    assert.ok(error instanceof KubeError, `expected a KubeError, got ${error}`);
    return error;
  }
  return assert.fail("the request succeeded");
}

const event = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { kind: "Widget", apiVersion: "bench.example.org/v1", metadata: { name, resourceVersion: "7" } } })}\n`;
const names = (events: readonly WatchEvent[]): string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`);

test("refusals mean what the real server means by them", async () => {
  const conflict = {
    reason: "Conflict",
    details: { causes: [{ reason: "FieldManagerConflict", field: ".spec.value" }] },
  };
  const rejected = {
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  };
  const guarded = [{ op: "test", path: "/metadata/uid", value: "u" }];
  const apply = (client: KubeClient) => client.apply(widgets, place, body, writer);
  const table: readonly [Play, KubeError["kind"], boolean, ((client: KubeClient) => Promise<unknown>)?][] = [
    [status(409, { reason: "Conflict", message: "the object has been modified" }), "stale", false],
    [status(409, conflict), "conflict", false],
    [status(409, { reason: "AlreadyExists" }), "exists", false],
    [
      status(409, {
        reason: "Conflict",
        message: "uid mismatch: the provided object specified uid 1, and no existing object was found",
      }),
      "gone",
      false,
    ],
    [
      status(422, {
        reason: "Invalid",
        details: { causes: [{ field: "metadata.uid", message: 'Invalid value: "1": field is immutable' }] },
      }),
      "gone",
      false,
    ],
    [
      status(422, rejected),
      "stale",
      false,
      (client) => client.patch(widgets, place, "json", guarded, writer),
    ],
    [
      status(422, rejected),
      "invalid",
      false,
      (client) => client.patch(widgets, place, "json", [{ op: "remove", path: "/x" }], writer),
    ],
    [status(422, { reason: "Invalid", message: "spec.value: Required value" }), "invalid", false],
    [status(400, { reason: "BadRequest" }), "invalid", false],
    [status(404, { reason: "NotFound", details: { name: "one" } }), "missing", false],
    [text(404, "404 page not found\n"), "kindMissing", true, (client) => client.get(widgets, place)],
    [status(403, { reason: "Forbidden" }), "forbidden", true],
    [
      status(403, { reason: "Forbidden", details: { causes: [{ reason: "NamespaceTerminating" }] } }),
      "terminating",
      false,
    ],
    [status(401, { reason: "Unauthorized" }), "unauthorized", true],
    [status(410, { reason: "Expired" }), "expired", false, (client) => client.list(widgets)],
    [text(429, "Too many requests, please try again later."), "throttled", true],
    [
      status(500, {
        message: "failed to create typed patch object (team/one): .spec.bogus: field not declared in schema",
      }),
      "invalid",
      false,
    ],
    [
      status(500, {
        reason: "InternalError",
        message: 'Internal error occurred: failed calling webhook "v": connect refused',
      }),
      "unavailable",
      true,
    ],
    [status(500, { message: "etcdserver: request is too large" }), "invalid", false],
    [
      status(500, {
        message: "rpc error: code = ResourceExhausted desc = trying to send message larger than max",
      }),
      "invalid",
      false,
    ],
    [
      status(500, { message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing' }),
      "expired",
      false,
      (client) => client.watch(widgets, { resourceVersion: "abc", onEvent: () => undefined }),
    ],
    [
      text(503, "before all known HTTP paths have been installed", { "retry-after": "5" }),
      "unavailable",
      true,
    ],
    [
      status(504, {
        reason: "Timeout",
        details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 },
      }),
      "future",
      true,
    ],
    [status(504, { reason: "Timeout" }), "unavailable", true],
    [status(501, { message: "not here" }), "invalid", false],
    [text(200, "<html>"), "unavailable", true],
  ];
  for (const [play, kind, retryable, send = apply] of table) {
    const { url, seen } = await serve(play);
    const error = await failure(send(connect(url)));
    assert.equal(error.kind, kind, error.message);
    assert.equal(error.retryable, retryable, error.message);
    assert.equal(seen.length, 1, "no refusal without Retry-After is repeated");
    assert.ok(error.message.includes(error.request));
  }
});

test("get gives undefined only for an object that is not there", async () => {
  const { url } = await serve(status(404, { reason: "NotFound", details: { name: "one" } }));
  assert.equal(await connect(url).get(widgets, place), undefined);
});

test("429 is repeated after Retry-After, and given up after 30 s in all", async () => {
  const busy = text(429, "Too many requests", { "retry-after": "7" });
  const clock = new ManualClock();
  const passes = await serve(busy, busy, json(200, body));
  const got = connect(passes.url, { clock }).get(widgets, place);
  for (let wait = 0; wait < 2; wait++) {
    await clock.armed(7000);
    clock.advance(7000);
  }
  assert.equal((await got)?.metadata.name, "one");
  assert.equal(passes.seen.length, 3);

  const never = await serve(busy);
  const failed = failure(connect(never.url, { clock }).get(widgets, place));
  for (let wait = 0; wait < 4; wait++) {
    await clock.armed(7000);
    clock.advance(7000);
  }
  const error = await failed;
  assert.equal(error.kind, "throttled");
  assert.equal(error.retryAfterMilliseconds, 7000);
  assert.equal(never.seen.length, 5);
});

test("a kept connection that died costs one silent repeat of what may be repeated", async () => {
  const plays: Play[] = [json(200, body), cut, json(200, body)];
  const repeated = await serve(...plays);
  const client = connect(repeated.url);
  await client.get(widgets, place);
  assert.equal((await client.apply(widgets, place, body, writer)).kind, "Widget");
  assert.deepEqual(
    repeated.seen.map(({ method }) => method),
    ["GET", "PATCH", "PATCH"],
  );
  assert.equal(client.requests.apply, 2);

  const once = await serve(...plays);
  const careful = connect(once.url);
  await careful.get(widgets, place);
  assert.equal((await failure(careful.create(widgets, body, writer))).kind, "unavailable");
  assert.equal(once.seen.length, 2, "a create is not sent twice");

  const fresh = await serve(cut);
  assert.equal((await failure(connect(fresh.url).get(widgets, place))).kind, "unavailable");
  assert.equal(fresh.seen.length, 1, "a new connection that breaks is no stale one");
});

test("a DELETE carries its preconditions and the length of its body", async () => {
  const { url, seen } = await serve(
    json(200, { kind: "Status", status: "Success" }),
    json(200, { ...body, metadata: { ...body.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }),
  );
  const client = connect(url);
  assert.equal(
    await client.delete(widgets, place, { uid: "u-1", propagationPolicy: "Foreground" }),
    undefined,
  );
  const [first] = seen;
  assert.ok(first);
  assert.equal(first.headers["content-length"], String(Buffer.byteLength(first.body)));
  assert.deepEqual(JSON.parse(first.body), {
    apiVersion: "v1",
    kind: "DeleteOptions",
    preconditions: { uid: "u-1" },
    propagationPolicy: "Foreground",
  });
  assert.equal(
    (await client.delete(widgets, place, { uid: "u-1" }))?.metadata.deletionTimestamp,
    "2026-01-01T00:00:00Z",
  );
});

test("at most so many writes are in flight as were allowed, reads go past them", async () => {
  const waiting: (() => void)[] = [];
  let most = 0;
  let flying = 0;
  const { url } = await serve((response, request) => {
    if (request.method === "GET") return json(200, body)(response, request, "");
    most = Math.max(most, ++flying);
    waiting.push(() => {
      flying--;
      json(200, body)(response, request, "");
    });
    if (waiting.length === 8) full.resolve();
  });
  const full = Promise.withResolvers<void>();
  const client = connect(url, { concurrentWrites: 8 });
  const controller = new AbortController();
  const writes = Array.from({ length: 20 }, () => client.apply(widgets, place, body, writer));
  const aborted = failure(client.apply(widgets, place, body, { ...writer, signal: controller.signal }));
  await full.promise;
  controller.abort();
  assert.equal((await aborted).kind, "aborted");
  assert.equal((await client.get(widgets, place))?.kind, "Widget");
  let done = 0;
  for (const write of writes) write.then(() => done++);
  while (done < 20) {
    for (const release of waiting.splice(0)) release();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(most, 8);
});

test("pages follow the token, compressed ones too, and restart once when it expires", async () => {
  const page = (name: string, next: string): object => ({
    items: [{ metadata: { name } }],
    metadata: { resourceVersion: "5", continue: next },
  });
  const zipped: Play = (response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(page("b", ""))));
  };
  const { url, seen } = await serve(
    json(200, page("a", "t1")),
    status(410, { reason: "Expired" }),
    json(200, page("a", "t2")),
    zipped,
  );
  const got: string[] = [];
  for await (const { items, restarted } of connect(url).pages(widgets, {
    metadataOnly: true,
    resourceVersion: "4",
    resourceVersionMatch: "NotOlderThan",
  })) {
    if (restarted === true) got.push("restarted");
    for (const { apiVersion, kind, metadata } of items) got.push(`${apiVersion} ${kind} ${metadata.name}`);
  }
  assert.deepEqual(got, [
    "bench.example.org/v1 Widget a",
    "restarted",
    "bench.example.org/v1 Widget a",
    "bench.example.org/v1 Widget b",
  ]);
  const query = seen.map(({ url }) => url.slice(url.indexOf("?")));
  assert.deepEqual(query, [
    "?limit=500&resourceVersion=4&resourceVersionMatch=NotOlderThan",
    "?limit=500&continue=t1",
    "?limit=500&resourceVersion=4&resourceVersionMatch=NotOlderThan",
    "?limit=500&continue=t2",
  ]);
  assert.match(seen[0]?.headers.accept ?? "", /PartialObjectMetadataList/);
});

test("an answer beyond the limit is refused, also when it is compressed", async () => {
  const large = JSON.stringify({ items: [], metadata: {}, more: "x".repeat(5000) });
  const plain = await serve(text(200, large));
  const zipped = await serve((response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(large));
  });
  for (const { url } of [plain, zipped]) {
    const error = await failure(connect(url, { maxResponseBytes: 2000 }).list(widgets));
    assert.equal(error.code, "KUBE_TOO_LARGE");
    assert.equal(error.kind, "invalid");
  }
});

test("a request without an answer is given up, and one that is aborted says so", async () => {
  const clock = new ManualClock();
  const arrived = Promise.withResolvers<void>();
  const { url } = await serve(() => arrived.resolve());
  const client = connect(url, { clock });
  const silent = failure(client.get(widgets, place));
  await arrived.promise;
  clock.advance(30_000);
  assert.equal((await silent).code, "KUBE_TIMEOUT");
  const controller = new AbortController();
  const aborted = failure(client.get(widgets, place, { signal: controller.signal }));
  controller.abort();
  assert.equal((await aborted).kind, "aborted");
  assert.equal((await failure(client.get(widgets, place, { signal: controller.signal }))).kind, "aborted");
  assert.equal(clock.alarms, 0);
});

test("a 401 renews the credentials once", async () => {
  let token = "old";
  const rotating: Credentials = {
    current: () => ({ authorization: `Bearer ${token}` }),
    refused: () => {
      token = "new";
      return true;
    },
  };
  const unless: Play = (response, request, sent) =>
    (request.headers.authorization === "Bearer new" ? json(200, body) : status(401))(response, request, sent);
  const good = await serve(unless);
  assert.equal((await connect(good.url, { credentials: rotating }).get(widgets, place))?.kind, "Widget");
  const bad = await serve(status(401));
  assert.equal(
    (await failure(connect(bad.url, { credentials: rotating }).get(widgets, place))).kind,
    "unauthorized",
  );
  assert.equal(bad.seen.length, 2);
  const fixed = await serve(status(401));
  await failure(connect(fixed.url, { credentials: fixedCredentials("Bearer x") }).get(widgets, place));
  assert.equal(fixed.seen.length, 1);
});

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

test("a server that cannot be reached is named with what to do", async () => {
  const error = await failure(connect("http://127.0.0.1:1").get(widgets, place));
  assert.equal(error.code, "KUBE_UNREACHABLE");
  assert.match(error.message, /Cannot reach http:\/\/127.0.0.1:1 \(ECONNREFUSED\): nothing listens there/);
  await failure(
    connect("http://127.0.0.1:1").watch(widgets, { resourceVersion: "1", onEvent: () => undefined }),
  );
});
