import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { defineKind, defineSystem, hook, patch } from "../../function/index.ts";
import { KubeError } from "../../kube/errors.ts";
import { silent } from "../../log/log.ts";
import { configuredHooks } from "../configuration.ts";
import { questionIngress } from "./question-ingress.ts";

class Kite extends defineKind({
  group: "hooked.example.org",
  version: "v1",
  kind: "Kite",
  scope: "Namespaced",
  fields: { spec: z.object({ tail: z.number() }) },
}) {}

const options = {
  request: z.looseObject({ name: z.string() }),
  response: z.object({ status: z.enum(["Success", "Failure"]), retryAfterSeconds: z.int().optional() }),
};
const mayFly = hook({
  ...options,
  name: "may-fly",
  requestHook: { apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1", hook: "BeforeFlight" },
  timeoutSeconds: 5,
}).function({
  writes: [Kite],
  observe: async ({ request, read }) => ({
    kite: await read.get(Kite, { name: request.name, namespace: "n" }),
  }),
  store: ({ kite }) => kite && patch(Kite, kite, { labels: { asked: "yes" } }),
  answer: ({ kite }) =>
    kite === undefined || kite.metadata.labels.flies === "yes"
      ? { status: "Success" }
      : { status: "Success", retryAfterSeconds: 10 },
  failed: ({ retryable }) =>
    retryable ? { status: "Success", retryAfterSeconds: 3 } : { status: "Failure" },
});
const echo = hook({
  name: "echo",
  request: z.object({ say: z.string() }),
  response: z.object({ said: z.string().max(9) }),
}).function({
  config: z.object({ loud: z.boolean() }),
  storesNothing: "it repeats what it is told",
  answer: ({ request }, { config }) => ({ said: config.loud ? request.say.toUpperCase() : request.say }),
});
const bare = hook({ ...options, name: "bare", path: "/bare" }).function({
  reads: [Kite],
  storesNothing: "it only looks",
  observe: async ({ read }) => ({ kites: await read.list(Kite) }),
  answer: () => ({ status: "Success" }),
});
const system = defineSystem({
  name: "kites",
  config: z.object({ loud: z.boolean().default(true) }),
  functions: [],
  hooks: [mayFly, echo, bare],
});

const MAY_FLY = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeflight/may-fly";
const DISCOVERY = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery";

function scene(get: () => Promise<unknown> = async () => undefined) {
  const clock = manualClock(0);
  const client = { get, pages: () => ({ [Symbol.asyncIterator]: () => ({ next: get }) }) };
  const handler = questionIngress({
    hooks: configuredHooks([system]),
    client: client as never,
    clock,
    log: silent,
  });
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await handler(
      new Request(`http://serve${path}`, { method: "POST", body: new TextEncoder().encode(text), headers }),
    );
    return {
      status: response.status,
      again: response.headers.get("retry-after"),
      body: JSON.parse(await response.text()) as Record<string, unknown>,
    };
  };
  return { clock, post, handler };
}
const NAMED = { apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1", kind: "BeforeFlightResponse" };
const away = new KubeError("unavailable", "The API server is away.", { request: "GET /" });

describe("the endpoint of a hook", () => {
  it("answers with the type that Cluster API reads, also without a content type", async () => {
    const { post } = scene();
    const question = { kind: "BeforeFlightRequest", name: "k", new: 1 };
    assert.deepEqual(await post(`${MAY_FLY}?timeout=10s`, question), {
      status: 200,
      again: null,
      body: { ...NAMED, status: "Success" },
    });
  });
  it("answers others as their schema says", async () => {
    const { post } = scene();
    assert.deepEqual((await post("/hooks/echo", { say: "hi" })).body, { said: "HI" });
  });
  it("tells discovery of the hooks that Cluster API asks, and of no other", async () => {
    const { status, body } = await scene().post(DISCOVERY, {});
    assert.equal(status, 200);
    assert.deepEqual(body, {
      apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1",
      kind: "DiscoveryResponse",
      status: "Success",
      message: "",
      handlers: [
        {
          name: "may-fly",
          requestHook: { apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1", hook: "BeforeFlight" },
          timeoutSeconds: 5,
          failurePolicy: "Fail",
        },
      ],
    });
  });
  it("refuses what it cannot take, in a form that nobody takes for a success", async () => {
    const { post, handler } = scene();
    const wrong = await post(MAY_FLY, { nam: "k" });
    assert.equal(wrong.status, 400);
    assert.deepEqual(
      { ...wrong.body, message: "" },
      {
        ...NAMED,
        status: "Failure",
        message: "",
        code: "HTTP_MALFORMED",
      },
    );
    assert.match(String(wrong.body.message), /name: /);
    assert.equal((await post(MAY_FLY, "{")).body.status, "Failure");
    assert.equal((await post(MAY_FLY, { kind: "AfterFlightRequest", name: "k" })).status, 400);
    assert.equal((await post(MAY_FLY, { name: "k" }, { "content-type": "text/plain" })).status, 415);
    assert.equal((await post(MAY_FLY, { name: "k" }, { "content-type": "application/json" })).status, 200);
    assert.equal((await post(MAY_FLY, `"${"x".repeat(3 * 1_048_576)}"`)).status, 413);
    assert.equal((await post(`${MAY_FLY}?timout=1s`, { name: "k" })).status, 400);
    assert.equal((await post("/hooks/other", {})).status, 404);
    assert.equal((await handler(new Request(`http://serve${MAY_FLY}`))).status, 405);
  });
  it("answers as the declaration says where nothing can be read", async () => {
    const { status, body } = await scene(() => Promise.reject(away)).post(MAY_FLY, { name: "k" });
    assert.equal(status, 200);
    assert.deepEqual(body, { ...NAMED, status: "Success", retryAfterSeconds: 3 });
  });
  it("says in words, where the declaration says nothing, why there is no answer", async () => {
    const { status, again, body } = await scene(() => Promise.reject(away)).post("/bare", { name: "k" });
    assert.deepEqual([status, again], [503, "5"]);
    assert.deepEqual(body, {
      code: "HTTP_UNAVAILABLE",
      message: "bare cannot answer now: The API server is away.",
    });
    const secret = await scene(() => Promise.reject(new Error("a secret"))).post("/bare", { name: "k" });
    assert.equal(secret.body.message, "bare cannot answer now: the log of this server says why");
  });
  it("sends no answer that does not fit its schema", async () => {
    const { status, body } = await scene().post("/hooks/echo", { say: "hello, world" });
    assert.equal(status, 503);
    assert.match(String(body.message), /does not fit its response: said: /);
  });
  it("answers within the time that is waited: what the question says, else what the declaration says", async () => {
    for (const [query, milliseconds] of [
      ["?timeout=2s", 1_750],
      ["", 4_750],
    ] as const) {
      const { clock, post } = scene(() => new Promise(() => undefined));
      const answer = post(`${MAY_FLY}${query}`, { name: "k" });
      await clock.advance(milliseconds);
      assert.deepEqual((await answer).body, { ...NAMED, status: "Success", retryAfterSeconds: 3 });
    }
  });
  it("refuses two that are asked at one path", () => {
    const other = defineSystem({
      name: "others",
      functions: [],
      hooks: [
        hook({ ...options, name: "other", path: "/bare" }).function({
          storesNothing: "it only looks",
          answer: () => ({ status: "Success" }),
        }),
      ],
    });
    const both = configuredHooks([system, other]);
    assert.throws(
      () => questionIngress({ hooks: both, client: {} as never, clock: manualClock(0), log: silent }),
      {
        code: "DECLARATION_PATH",
      },
    );
  });
});
