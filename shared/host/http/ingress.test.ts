import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import {
  asCi,
  bodyOf,
  keepSecrets,
  NOW,
  post,
  release,
  sample,
  scene,
  signed,
  structured,
} from "../../../infra/testing/ingress-scene.ts";
import type { Bus } from "../../bus/contract.ts";
import { BusError } from "../../bus/errors.ts";
import { rememberPeer } from "./index.ts";

keepSecrets();

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

  it("takes a payload in Base64, and says that an empty batch is no news", async (t) => {
    const { handler, published } = scene(t);
    const { data, ...event } = sample("release.published");
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const response = await handler(structured({ ...event, data_base64: base64(JSON.stringify(data)) }));
    assert.equal(response.status, 202);
    assert.deepEqual(published.pop(), { ...event, data });
    for (const [more, issue] of [
      [{ data, data_base64: base64("{}") }, "data_base64: stands beside data; send one of them"],
      [{ data_base64: "%" }, "data_base64: expected Base64"],
      [{ data_base64: 7 }, "data_base64: expected Base64"],
      [{ data_base64: base64("{") }, "data_base64: holds no JSON"],
    ] as const) {
      const refused = await handler(structured({ ...event, ...more }));
      assert.deepEqual([refused.status, (await bodyOf(refused)).issues], [400, [issue]]);
    }
    const batch = post("/events", "[]", { ...asCi, "content-type": "application/cloudevents-batch+json" });
    const empty = await handler(batch);
    assert.deepEqual(
      [empty.status, await bodyOf(empty)],
      [200, { accepted: [], ignored: "The batch is empty." }],
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
      rememberPeer(made, { certificate, verified: certificate !== undefined });
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

  it("believes no clock that is far ahead", async (t) => {
    const { handler, published } = scene(t);
    for (const [said, kept] of [
      ["9999-12-31T23:59:59Z", "2026-01-15T10:05:00.000Z"],
      ["2026-01-15T11:00:00+01:00", "2026-01-15T11:00:00+01:00"],
      ["2026-01-15T10:04:59Z", "2026-01-15T10:04:59Z"],
    ]) {
      const event = { ...sample("command.pause"), id: said, time: said };
      assert.equal((await handler(structured(event))).status, 202);
      assert.equal(published.pop()?.time, kept);
    }
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
      { numRuns: 2000, examples: [["/triggers/gate", "POST", { authorization: "Bearer dong" }, "null"]] },
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
