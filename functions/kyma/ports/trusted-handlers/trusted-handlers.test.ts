import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished, test } from "vitest";
import { eventually } from "../../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { httpHandlers } from "./adapters/index.ts";
import { type HandlerQuestion, type TrustedHandlersSettings, trustedHandlersSettings } from "./index.ts";

const QUESTION: HandlerQuestion = {
  operation: "Apply",
  kyma: { name: "rt-1", namespace: "kcp-system", spec: { channel: "regular" } },
  module: { name: "tenant", version: "1.0.0", manifest: "rt-1-tenant-1" },
  object: null,
};
type Said = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A handler that says this, and whoever asks it. */
async function handler(says: Said, more: Partial<TrustedHandlersSettings[string]> = {}) {
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked++;
    let body = "";
    for await (const piece of request) body += piece;
    says(request, response, body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  const url = `http://127.0.0.1:${address.port}/handle`;
  const handlers = httpHandlers(
    { tenants: { url, timeoutSeconds: 10, tokenFile: undefined, ...more } },
    { clock },
  );
  return { ask: () => handlers.ask("tenants", QUESTION), clock, asked: () => asked, handlers };
}
const says =
  (status: number, text: string): Said =>
  (_, response) =>
    void response.writeHead(status).end(text);
const json = (status: number, body: unknown): Said => says(status, JSON.stringify(body));

test("a handler is asked by a POST of the question, and answers objects and when it wants to be asked again", async () => {
  let heard: unknown[] = [];
  const { ask } = await handler((request, response, body) => {
    heard = [request.method, request.url, request.headers["content-type"], JSON.parse(body)];
    response.end(JSON.stringify({ objects: [{ kind: "X" }], waitingFor: "a\nplace", askAgainSeconds: 30.2 }));
  });
  assert.deepEqual(await ask(), {
    state: "answered",
    objects: [{ kind: "X" }],
    waitingFor: "a place",
    askAgain: "2026-01-01T00:00:31.000Z",
  });
  assert.deepEqual(heard, [
    "POST",
    "/handle",
    "application/json",
    { apiVersion: "reveille.dev/v1", kind: "TrustedHandlerRequest", ...QUESTION },
  ]);
});

describe("the answer of a handler", () => {
  for (const [what, said, expected] of [
    [
      "is nothing to apply, and all done, where it says nothing",
      json(200, {}),
      /"state":"answered","objects":\[\]\}$/,
    ],
    [
      "may be a refusal in its words",
      json(422, { message: "no such plan" }),
      /refused.*tenants refuses: no such plan/,
    ],
    ["may be a refusal without words", says(422, "<html>"), /refused.*tenants refuses"/],
    ["counts as none where it is no JSON", says(200, "<html>"), /failed.*answered what is none/],
    [
      "counts as none where a field is wrong",
      json(200, { objects: 1 }),
      /failed.*answered what is none: objects: /,
    ],
    [
      "counts as none with another status",
      says(500, "secret words"),
      /failed.*no answer: unexpected HTTP status: 500/,
    ],
    ["counts as none with 404", says(404, ""), /failed.*404/],
    [
      "is not led elsewhere",
      (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      /failed.*302/,
    ],
    [
      "has its bounds",
      (_, response) => void response.end("x".repeat(1024 * 1024 + 1)),
      /failed.*larger than/,
    ],
    ["may break off", (request) => void request.socket.destroy(), /failed.*no answer/],
  ] as [string, Said, RegExp][])
    test(what, async () => {
      const { ask } = await handler(said);
      const answer = JSON.stringify(await ask());
      assert.match(answer, expected);
      assert.doesNotMatch(answer, /secret words/);
    });

  test("is waited for no longer than its settings say, and no handler is asked at once again", async () => {
    const { ask, clock, asked } = await handler(() => undefined);
    const first = ask();
    await eventually("it is asked", () => asked() === 1);
    clock.advance(10_000);
    assert.match(JSON.stringify(await first), /failed.*no answer within 10 s/);
    assert.match(JSON.stringify(await ask()), /failed.*no answer within 10 s/);
    assert.equal(asked(), 1);
    clock.advance(5_000);
    const next = ask();
    await eventually("it is asked again", () => asked() === 2);
    clock.advance(10_000);
    await next;
  });
});

test("a token goes along, read anew each time, and nobody is asked without it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "handlers-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tokenFile = join(folder, "token");
  const heard: unknown[] = [];
  const { ask, asked, clock } = await handler(
    (request, response) => {
      heard.push(request.headers.authorization);
      response.end("{}");
    },
    { tokenFile },
  );
  assert.match(JSON.stringify(await ask()), /failed.*is not asked: the secret in .*token cannot be read/);
  assert.equal(asked(), 0);
  clock.advance(5_000);
  for (const token of ["one", "two"]) {
    await writeFile(tokenFile, `${token}\n`);
    assert.equal((await ask()).state, "answered");
  }
  assert.deepEqual(heard, ["Bearer one", "Bearer two"]);
});

test("only those handlers are known that are configured", async () => {
  const { handlers } = await handler(json(200, {}));
  assert.deepEqual(
    ["tenants", "others", "constructor"].map((name) => handlers.knows(name)),
    [true, false, false],
  );
  await assert.rejects(handlers.ask("constructor", QUESTION), /nobody configured the handler constructor/);
});

describe("the settings of handlers", () => {
  for (const [what, settings, message] of [
    ["have names", { "A b": { url: "http://a/" } }, /small letters, digits and hyphens/],
    ["have addresses", { a: { url: "a" } }, /write an address/],
    ["speak HTTP", { a: { url: "ftp://a/" } }, /write an address/],
    ["have no credentials in an address", { a: { url: "https://me:it@a/" } }, /leave credentials out/],
    ["have bounds", { a: { url: "https://a/", timeoutSeconds: 31 } }, /30/],
    ["know no other field", { a: { url: "https://a/", token: "x" } }, /token/],
  ] as const)
    test(what, () => {
      assert.match(trustedHandlersSettings.safeParse(settings).error?.message ?? "", message);
    });
});
