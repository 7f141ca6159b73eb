import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { catalogue, type Envelope } from "../../../events/index.ts";
import { keptLog } from "../../../infra/testing/watched-cluster.ts";
import type { Bus } from "../../bus/contract.ts";
import { BusError } from "../../bus/errors.ts";
import { openMemoryBus } from "../../bus/memory/index.ts";
import { manualClock } from "../../clock/manual.ts";
import { createRouter } from "../../function/router.ts";
import type { Trigger } from "../../function/trigger.ts";
import { type FetchHandler, type IngressParts, ingress, rememberPeer, secretFile } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "reveille-ingress-"));
after(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** A webhook whose body is a release, or a list of them. */
const bell: Trigger = {
  name: "bell",
  proof: { signature: "x-signature" },
  deliveryHeader: "x-delivery",
  late: "refuse",
  types: ["rung"],
  typeOf: ({ header }) => header("x-type"),
  read: (_type, { body }) => {
    const { origin, version, at } = body as Readonly<Record<string, string | undefined>>;
    if (version === undefined) return { issues: ["version: expected string, received undefined"] };
    if (version === "none") return { ignored: "no news" };
    const event = {
      id: `${origin}@${version}`,
      type: "release.published",
      subject: version,
      data: { origin, version },
    };
    return { notices: [{ at, event }] };
  },
};
const gate: Trigger = { ...bell, name: "gate", proof: "bearer", late: "ignore", typeOf: () => "rung" };

const NOW = Date.parse("2026-01-15T10:00:00.000Z");
interface Scene {
  readonly handler: FetchHandler;
  readonly bus: Bus;
  readonly published: Envelope[];
  readonly clock: ReturnType<typeof manualClock>;
  readonly log: readonly { readonly level: string; readonly message: string }[];
}

function scene(t: TestContext, over: Partial<IngressParts> = {}): Scene {
  const clock = manualClock(NOW);
  const bus = openMemoryBus({ route: createRouter([]).route, clock });
  t.after(() => bus.close());
  const published: Envelope[] = [];
  bus.subscribe({ published: (event) => void published.push(event) });
  const lines: Parameters<typeof keptLog>[0] = [];
  const handler = ingress({
    bus,
    types: () => catalogue,
    callers: [
      { name: "ci", token: secretFile(file("ci", "ci-token\n")) },
      { name: "releases", token: secretFile(file("releases", "other")), may: ["events"] },
      { name: "robot", certificate: "robot.example.org" },
    ],
    triggers: [
      { trigger: bell, secret: secretFile(file("bell", "ding")) },
      { trigger: gate, secret: secretFile(file("gate", "dong")) },
    ],
    clock,
    log: keptLog(lines),
    maximumBody: 2_000,
    ...over,
  });
  return { handler, bus, published, clock, log: lines };
}

const post = (path: string, body: string | undefined, headers: Record<string, string> = {}): Request =>
  new Request(`http://reveille${path}`, { method: "POST", headers, ...(body !== undefined && { body }) });
const bodyOf = async (
  response: Response,
): Promise<{ code?: string; message?: string; issues?: string[]; accepted?: string[]; ignored?: string }> =>
  (await response.json()) as object;
const signed = (body: unknown, over: Record<string, string> = {}, secret = "ding"): Request => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const hex = createHmac("sha256", secret).update(text).digest("hex");
  return post("/triggers/bell", text, {
    "x-signature": `sha256=${hex}`,
    "x-type": "rung",
    "x-delivery": "1",
    ...over,
  });
};

const release = { origin: "o", version: "1", at: "2026-01-15T09:59:00.000Z" };
const sample = (type: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../events/samples/${type.replace(".", "-")}.json`), "utf8"),
  ) as Record<string, unknown>;
const asCi = { authorization: "Bearer ci-token" };
const structured = (event: unknown, headers: Record<string, string> = asCi): Request =>
  post("/events", JSON.stringify(event), { "content-type": "application/cloudevents+json", ...headers });

describe("a webhook", () => {
  it("takes what is signed, and answers once it is durable", async (t) => {
    const { handler, published, bus } = scene(t);
    const response = await handler(signed(release));
    assert.equal(response.status, 202);
    assert.deepEqual(await bodyOf(response), { accepted: ["o@1"] });
    assert.deepEqual(
      published.map(({ id, type, source, time }) => [id, type, source, time]),
      [["o@1", "release.published", "/triggers/bell", "2026-01-15T09:59:00.000Z"]],
    );
    assert.ok(await bus.history.event("o@1"));
  });

  it("refuses with 401 whatever the signature does not prove", async (t) => {
    const { handler, published } = scene(t);
    const text = JSON.stringify(release);
    for (const signature of [
      undefined,
      "",
      "sha256=",
      "sha256=00",
      `sha1=${"0".repeat(40)}`,
      `sha256=${"f".repeat(64)}`,
      "ü",
    ]) {
      const headers = signature === undefined || signature === "ü" ? {} : { "x-signature": signature };
      const response = await handler(post("/triggers/bell", text, { "x-type": "rung", ...headers }));
      assert.equal(response.status, 401, String(signature));
    }
    assert.equal((await handler(signed(release, {}, "wrong"))).status, 401);
    // Malformed, but first of all of nobody.
    assert.equal((await handler(signed("{", {}, "wrong"))).status, 401);
    const other = signed(release);
    const changed = post("/triggers/bell", text.replace('"1"', '"2"'), Object.fromEntries(other.headers));
    assert.equal((await handler(changed)).status, 401);
    assert.deepEqual(published, []);
  });

  it("takes a new secret as soon as its file holds it", async (t) => {
    const { handler } = scene(t);
    assert.equal((await handler(signed(release))).status, 202);
    file("bell", "a-longer-secret");
    t.after(() => file("bell", "ding"));
    const next = { ...release, version: "2" };
    assert.equal((await handler(signed(next))).status, 401);
    assert.equal((await handler(signed(next, { "x-delivery": "2" }, "a-longer-secret"))).status, 202);
  });

  it("does not publish a delivery twice, under whatever name it comes again", async (t) => {
    const { handler, published, clock } = scene(t);
    assert.equal((await handler(signed(release))).status, 202);
    for (const again of [
      signed(release),
      signed(release, { "x-delivery": "2" }),
      signed({ ...release, version: "2" }),
    ]) {
      const response = await handler(again);
      assert.equal(response.status, 200);
      assert.match((await bodyOf(response)).ignored ?? "", /before/);
    }
    await clock.advance(3 * 24 * 3_600_000 + 1);
    const response = await handler(signed(release));
    assert.equal(response.status, 409);
    assert.equal(published.length, 1);
  });

  it("refuses what happened long ago or has yet to happen, or ignores it where its sender would not stop", async (t) => {
    const { handler, published } = scene(t);
    for (const at of ["2026-01-12T09:59:00.000Z", "2026-01-15T10:06:00.000Z"]) {
      assert.equal((await handler(signed({ ...release, at }))).status, 409);
      const ignored = await handler(
        post("/triggers/gate", JSON.stringify({ ...release, at }), { authorization: "Bearer dong" }),
      );
      assert.equal(ignored.status, 200);
    }
    assert.deepEqual(published, []);
  });

  it("says what is malformed, with its path, and which types it knows", async (t) => {
    const { handler } = scene(t);
    const broken = await handler(signed('{"origin": '));
    assert.equal(broken.status, 400);
    assert.match((await bodyOf(broken)).issues?.[0] ?? "", /^\(body\): is no JSON/);
    const missing = await handler(signed({ origin: "o" }));
    assert.equal(missing.status, 400);
    assert.deepEqual((await bodyOf(missing)).issues, ["version: expected string, received undefined"]);
    const unknown = await handler(signed(release, { "x-type": "gone" }));
    assert.equal(unknown.status, 422);
    assert.match((await bodyOf(unknown)).message ?? "", /gone is not taken here; known are rung\./);
    const ignored = await handler(signed({ ...release, version: "none" }));
    assert.deepEqual([ignored.status, await bodyOf(ignored)], [200, { accepted: [], ignored: "no news" }]);
  });

  it("knows a bearer by his token", async (t) => {
    const { handler } = scene(t);
    const ring = (authorization?: string): Promise<Response> =>
      handler(
        post("/triggers/gate", JSON.stringify(release), authorization === undefined ? {} : { authorization }),
      );
    assert.equal((await ring()).status, 401);
    assert.equal((await ring("Bearer ding")).status, 401);
    assert.equal((await ring("Basic dong")).status, 401);
    assert.equal((await ring("Bearer dong")).status, 202);
  });
});

describe("the ingress for events", () => {
  it("takes them structured, binary and batched", async (t) => {
    const { handler, published } = scene(t);
    const event = sample("release.published");
    assert.equal((await handler(structured(event))).status, 202);
    assert.deepEqual(published.pop(), event);
    const binary = post("/events", JSON.stringify({ origin: "o", version: "1" }), {
      ...asCi,
      "content-type": "application/json; charset=utf-8",
      "ce-specversion": "1.0",
      "ce-id": "b%201",
      "ce-type": "release.published",
      "ce-source": "/elsewhere",
      "ce-mark": '"ke\\"pt"',
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    });
    assert.equal((await handler(binary)).status, 202);
    assert.deepEqual(published.pop(), {
      specversion: "1.0",
      id: "b 1",
      type: "release.published",
      source: "/elsewhere",
      time: new Date(NOW).toISOString(),
      datacontenttype: "application/json",
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      mark: 'ke"pt',
      data: { origin: "o", version: "1" },
    });
    const batch = ["1", "2"].map((id) => ({ ...event, id }));
    const headers = { ...asCi, "content-type": "application/cloudevents-batch+json" };
    const response = await handler(post("/events", JSON.stringify(batch), headers));
    assert.deepEqual([response.status, await bodyOf(response)], [202, { accepted: ["1", "2"] }]);
    const half = [batch[0], { ...event, data: { origin: 7, version: "1" } }];
    const refused = await handler(post("/events", JSON.stringify(half), headers));
    assert.equal(refused.status, 400);
    assert.deepEqual((await bodyOf(refused)).issues, ["[1].data.origin: expected string, received number"]);
    assert.deepEqual(
      published.map(({ id }) => id),
      ["1", "2"],
      "none of a batch that is refused",
    );
  });

  it("refuses whom it does not know, and what he may not", async (t) => {
    const { handler, published } = scene(t);
    const event = sample("release.published");
    for (const headers of [{}, { authorization: "Bearer no" }, { authorization: "ci-token" }]) {
      const response = await handler(structured(event, headers));
      assert.equal(response.status, 401);
      assert.equal(response.headers.get("www-authenticate"), "Bearer");
    }
    const limited = await handler(structured(sample("command.pause"), { authorization: "Bearer other" }));
    assert.equal(limited.status, 403);
    assert.equal((await handler(structured(event, { authorization: "Bearer other" }))).status, 202);
    assert.equal(published.length, 1);
  });

  it("knows a client by its certificate, only where the server verified it", async (t) => {
    const { handler } = scene(t);
    const request = (certificate: string | undefined): Request => {
      const made = structured(sample("release.published"), {});
      rememberPeer(made, { certificate });
      return made;
    };
    assert.equal((await handler(request(undefined))).status, 401);
    assert.equal((await handler(request("somebody.example.org"))).status, 401);
    assert.equal((await handler(request("robot.example.org"))).status, 202);
  });

  it("records of a command who asked: the caller, whatever he says of himself", async (t) => {
    const { handler, bus } = scene(t);
    const command = sample("command.pause");
    assert.equal((await handler(structured(command))).status, 202);
    assert.equal((await bus.history.event(String(command.id)))?.askedBy, "alice via ci");
    const { askedBy: _, ...data } = command.data as Record<string, unknown>;
    assert.equal((await handler(structured({ ...command, id: "2", data }))).status, 202);
    assert.equal((await bus.history.event("2"))?.askedBy, "ci");
  });

  it("takes no type that it does not know, nor what only the engine may say", async (t) => {
    const { handler, published } = scene(t);
    for (const type of [
      "release.publishd",
      "resource.changed",
      "dependency.ready",
      "timer.due",
      "command.outcome",
    ]) {
      const response = await handler(structured({ ...sample("release.published"), type }));
      assert.equal(response.status, 422, type);
      const { message = "" } = await bodyOf(response);
      assert.match(message, /known are command\.pause, .*release\.published\.$/);
    }
    assert.deepEqual(published, []);
  });

  it("names each fault with its path", async (t) => {
    const { handler, bus } = scene(t);
    const event = sample("release.published");
    const issues = async (request: Request): Promise<readonly [number, string | undefined]> => {
      const response = await handler(request);
      return [response.status, (await bodyOf(response)).issues?.[0]];
    };
    assert.deepEqual(await issues(structured({ ...event, id: "" })), [
      400,
      "id: Too small: expected string to have >=1 characters",
    ]);
    assert.deepEqual(await issues(structured({ ...event, specversion: "0.3" })), [
      400,
      'specversion: expected "1.0"',
    ]);
    assert.deepEqual(await issues(structured({ ...event, data: {} })), [
      400,
      "data.origin: expected string, received undefined",
    ]);
    assert.deepEqual(await issues(structured([event])), [400, "(body): expected object"]);
    assert.match((await issues(post("/events", "{}", asCi)))[1] ?? "", /^ce-specversion: no such header/);
    const text = post("/events", "x", { ...asCi, "ce-specversion": "1.0", "content-type": "text/plain" });
    assert.equal((await handler(text)).status, 415);
    assert.deepEqual(await bus.deadLetters.list(), [], "what is answered is not kept");
  });
});

describe("whatever comes over HTTP", () => {
  it("is refused before it is parsed where it is too large, with and without its length", async (t) => {
    const { handler } = scene(t);
    const large = JSON.stringify({ ...sample("release.published"), padding: "x".repeat(3_000) });
    assert.equal((await handler(structured(large))).status, 413);
    const chunk = new TextEncoder().encode("x".repeat(500));
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(chunk);
      },
    });
    const streamed = new Request("http://reveille/events", {
      method: "POST",
      headers: asCi,
      body: endless,
      duplex: "half",
    });
    const response = await handler(streamed);
    assert.equal(response.status, 413);
    assert.ok(sent < 10, `${sent} chunks were read`);
    assert.equal((await handler(signed("x".repeat(3_000)))).status, 413);
  });

  it("waits for the bus: 503 with Retry-After where it is away, fails or does not answer", async (t) => {
    let publish: Bus["publish"] = () => Promise.reject(new BusError("BUS_IO", "the disk is gone"));
    let ready = true;
    const { handler, clock, log } = scene(t, {
      bus: { publish: (events) => publish(events), ready: () => ready },
    });
    const away = async (request: Request): Promise<void> => {
      const response = await handler(request);
      assert.equal(response.status, 503);
      assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
    };
    await away(signed(release));
    await away(structured(sample("release.published")));
    assert.ok(log.some(({ level }) => level === "error"));
    ready = false;
    await away(signed(release));
    ready = true;
    const asked = new Promise<void>((resolve) => {
      publish = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const waiting = away(signed(release));
    await asked;
    await clock.advance(10_000);
    await waiting;
    const events: Envelope[] = [];
    publish = async (more) => {
      events.push(...more);
      return { refused: [] };
    };
    assert.equal((await handler(signed(release))).status, 202, "what was not taken may come again");
    assert.equal(events.length, 1);
  });

  it("answers 202 no sooner than the bus has made it durable", async (t) => {
    const { promise: durable, resolve: makeDurable } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const publish: Bus["publish"] = async () => {
      ask();
      await durable;
      return { refused: [] };
    };
    const { handler, clock } = scene(t, { bus: { publish, ready: () => true } });
    let answered = false;
    const response = handler(signed(release)).then((it) => {
      answered = true;
      return it;
    });
    await asked;
    await clock.settle();
    assert.equal(answered, false);
    makeDurable();
    assert.equal((await response).status, 202);
  });

  it("is told where there is nothing, and what a place takes", async (t) => {
    const { handler } = scene(t);
    assert.equal((await handler(post("/nowhere", "{}"))).status, 404);
    assert.equal((await handler(post("/functions/x/invoke", "{}"))).status, 404, "without functions");
    const response = await handler(new Request("http://reveille/events"));
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "POST");
  });

  it("is answered as the sender's fault, whatever it is", async (t) => {
    const { handler, published } = scene(t, {
      console: { functions: [], invoke: () => Promise.reject(new Error("nobody comes so far")) },
    });
    const header = fc.constantFrom(
      "content-type",
      "ce-specversion",
      "ce-type",
      "ce-id",
      "ce-time",
      "authorization",
      "x-signature",
      "x-type",
      "traceparent",
    );
    const value = fc.oneof(
      fc.constantFrom(
        "application/cloudevents+json",
        "application/cloudevents-batch+json",
        "application/json",
        "1.0",
        "Bearer ci-token",
        "Bearer dong",
        "release.published",
        "%E0%A4%A",
        "rung",
      ),
      fc.string({ unit: fc.constantFrom(..."aZ0%;=/ ") }),
    );
    const path = fc.constantFrom(
      "/events",
      "/triggers/bell",
      "/triggers/gate",
      "/functions/%E0%A4%A/invoke",
      "/functions",
      "//",
      "/%",
    );
    const body = fc.oneof(
      fc.uint8Array(),
      fc.json(),
      fc.jsonValue().map((it) => JSON.stringify([it, {}])),
    );
    await fc.assert(
      fc.asyncProperty(
        path,
        fc.constantFrom("GET", "POST", "PUT"),
        fc.dictionary(header, value),
        body,
        async (at, method, headers, content) => {
          const request = new Request(`http://reveille${at}`, {
            method,
            headers,
            ...(method !== "GET" && { body: typeof content === "string" ? content : Buffer.from(content) }),
          });
          const { status } = await handler(request);
          assert.ok(status < 500 && (status >= 400 || published.length > 0 || status === 200), `${status}`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("never says what a secret is", async (t) => {
    const { handler, log } = scene(t);
    const texts = await Promise.all(
      [
        signed(release, {}, "wrong"),
        structured(sample("release.published"), { authorization: "Bearer guessed" }),
      ].map(async (request) => (await handler(request)).text()),
    );
    assert.doesNotMatch(JSON.stringify([texts, log]), /ding|ci-token|guessed|wrong"/);
  });
});
