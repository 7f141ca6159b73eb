import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import {
  bell,
  bodyOf,
  file,
  gate,
  keepSecrets,
  post,
  release,
  sample,
  scene,
  signed,
  structured,
} from "../../../infra/testing/ingress-scene.ts";

keepSecrets();

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
    t.onTestFinished(() => void file("bell", "ding"));
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

  it("takes a form that is signed where its sender sends one, and says what to do where it does not", async (t) => {
    const { published, ...rest } = scene(t, {
      triggers: [
        { trigger: { ...bell, formField: "payload" }, secret: async () => "ding" },
        { trigger: gate, secret: async () => "dong" },
      ],
    });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const text = new URLSearchParams({ payload: JSON.stringify(release) }).toString();
    assert.equal((await rest.handler(signed(text, form, "wrong"))).status, 401, "the signature comes first");
    const empty = await rest.handler(signed("x=1", form));
    assert.deepEqual(
      [empty.status, (await bodyOf(empty)).message],
      [415, "bell sends a form without payload: choose application/json where its webhook is set up."],
    );
    assert.equal((await rest.handler(signed("payload=%7B", form))).status, 400);
    assert.equal((await rest.handler(signed(text, form))).status, 202);
    assert.deepEqual(
      published.map(({ id }) => id),
      ["o@1"],
    );
    const other = post("/triggers/gate", text, { ...form, authorization: "Bearer dong" });
    const refused = await rest.handler(other);
    assert.deepEqual(
      [refused.status, (await bodyOf(refused)).message],
      [415, "gate sends a form: choose application/json where its webhook is set up."],
    );
  });

  it("ignores types that are no concern of anybody where its sender may send everything", async (t) => {
    const { handler, published } = scene(t, {
      triggers: [{ trigger: { ...bell, others: "ignore" }, secret: async () => "ding" }],
    });
    const push = await handler(signed(release, { "x-type": "push" }));
    assert.deepEqual(
      [push.status, await bodyOf(push)],
      [200, { accepted: [], ignored: "Deliveries of type push are no news here." }],
    );
    const { "x-type": _, ...typeless } = Object.fromEntries(signed(release).headers);
    assert.equal((await handler(post("/triggers/bell", JSON.stringify(release), typeless))).status, 422);
    assert.deepEqual(published, []);
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

/** A body that is held back until it is told to end, and how much of it was asked for. */
function heldBack(bytes: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const asked = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (asked.bytes < bytes) {
          asked.bytes += 100;
          controller.enqueue(new Uint8Array(100));
          return;
        }
        await released;
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, asked, release };
}

describe("a body whose sender is not yet proven", () => {
  const hold = (
    path: string,
    body: ReadableStream<Uint8Array>,
    headers: Record<string, string> = {},
  ): Request => new Request(`http://reveille${path}`, { method: "POST", headers, body, duplex: "half" });

  it("is not read where a token proves him: the token comes first", async (t) => {
    const { handler } = scene(t);
    for (const [path, headers] of [
      ["/triggers/gate", {}],
      ["/triggers/gate", { authorization: "Bearer wrong" }],
      ["/events", { authorization: "Bearer wrong" }],
    ] as const) {
      const { body, asked } = heldBack(1_000);
      assert.equal((await handler(hold(path, body, headers))).status, 401);
      assert.equal(asked.bytes, 0, path);
    }
  });

  it("counts with all others of its kind; beyond the limit they are told to come again, and there is room when they are gone", async (t) => {
    const { handler, published } = scene(t, { maximumUnproven: 3_000 });
    const held = [heldBack(1_500), heldBack(1_500)];
    const answers = held.map(({ body }) => handler(hold("/triggers/bell", body)));
    await eventually("both have sent what they send", async () =>
      held.every(({ asked }) => asked.bytes === 1_500),
    );
    const refused = await handler(signed(release));
    assert.deepEqual([refused.status, (await bodyOf(refused)).code], [503, "HTTP_BUSY"]);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    const known = structured(sample("release.published"));
    assert.equal((await handler(known)).status, 202, "whoever is proven by a token goes on");
    for (const { release: end } of held) end();
    for (const { status } of await Promise.all(answers)) assert.equal(status, 401);
    assert.equal((await handler(signed(release))).status, 202);
    assert.equal(published.length, 2);
  });
});
