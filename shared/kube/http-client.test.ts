import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "vitest";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import {
  body,
  cut,
  failure,
  json,
  type Play,
  place,
  playedServers,
  status,
  text,
  widgets,
  writer,
} from "../../infra/testing/played-server.ts";
import type { KubeClient } from "./client.ts";
import type { KubeError } from "./errors.ts";
import { type Credentials, fixedCredentials } from "./http/connection.ts";

const { serve, connect } = playedServers();

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
    [status(404, { reason: "NotFound", details: {} }), "kindMissing", true],
    [text(404, "<html>404 Not Found</html>"), "unavailable", true],
    [text(404, ""), "unavailable", true, (client) => client.list(widgets)],
    [text(404, "default backend - 404"), "unavailable", true, (client) => client.discover("x.io", "v1")],
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

test("a server that cannot be reached is named with what to do", async () => {
  const error = await failure(connect("http://127.0.0.1:1").get(widgets, place));
  assert.equal(error.code, "KUBE_UNREACHABLE");
  assert.match(error.message, /Cannot reach http:\/\/127.0.0.1:1 \(ECONNREFUSED\): nothing listens there/);
  await failure(
    connect("http://127.0.0.1:1").watch(widgets, { resourceVersion: "1", onEvent: () => undefined }),
  );
});
