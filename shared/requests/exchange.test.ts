import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import { boundedGet, boundedGetBytes } from "./bounded-get.ts";
import { bytesOf, contentOf, exchange, type Fetch } from "./exchange.ts";
import { revalidated } from "./revalidated.ts";

const URL_ASKED = new URL("https://one.example/a?b=c");
const limits = () => ({ clock: new ManualClock(), timeoutMilliseconds: 1_000, maximumBytes: 100 });

/** A network of answers by URL, and the requests that it saw. */
function network(answers: Readonly<Record<string, (request: Request) => Response>>) {
  const seen: Request[] = [];
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    seen.push(request);
    const answer = answers[request.url];
    assert.ok(answer, `nobody answers at ${request.url}`);
    return answer(request);
  };
  return { fetch, seen };
}
const leading = (to: string) => () => new Response(null, { status: 302, headers: { location: to } });
const CREDENTIALS = { accept: "text/plain", authorization: "Bearer secret", "x-token": "secret" };

describe("a request", () => {
  test("that is led to another server takes no credentials along, nor back", async () => {
    const { fetch, seen } = network({
      [URL_ASKED.href]: leading("/b"),
      "https://one.example/b": leading("https://two.example/c"),
      "https://two.example/c": leading("https://one.example/d"),
      "https://one.example/d": () => new Response("there"),
    });
    const answer = await boundedGet(fetch, URL_ASKED, CREDENTIALS, { ...limits(), anyServer: true });
    assert.equal(answer.state === "answered" && answer.text, "there");
    assert.deepEqual(
      seen.map(({ headers }) => [
        headers.get("authorization"),
        headers.get("x-token"),
        headers.get("accept"),
      ]),
      [
        ["Bearer secret", "secret", "text/plain"],
        ["Bearer secret", "secret", "text/plain"],
        [null, null, "text/plain"],
        [null, null, "text/plain"],
      ],
    );
  });

  test("stays with its own server, and with https", async () => {
    for (const [to, anyServer] of [
      ["https://two.example/", false],
      ["http://two.example/", true],
      ["http://one.example/", true],
    ] as const) {
      const { fetch, seen } = network({ [URL_ASKED.href]: leading(to) });
      const answer = await boundedGet(fetch, URL_ASKED, CREDENTIALS, { ...limits(), anyServer });
      assert.match(answer.state === "failed" ? answer.message : "", /leads to another server/);
      assert.equal(seen.length, 1);
    }
  });

  test("with a body is led nowhere", async () => {
    const { fetch, seen } = network({ [URL_ASKED.href]: leading("/b") });
    const body = Buffer.from("content");
    const status = await exchange(
      fetch,
      { url: URL_ASKED, method: "PUT", body },
      limits(),
      async (it) => it.status,
    );
    assert.equal(status, 302);
    assert.equal(await seen[0]?.text(), "content");
  });

  test("ends with its time, also while the content is on its way", async () => {
    const { clock, ...rest } = limits();
    let waiting = (): void => undefined;
    const waits = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const fetch: Fetch = async (_, init) =>
      new Response(
        new ReadableStream(
          {
            start: (stream) =>
              init?.signal?.addEventListener("abort", () => stream.error(init.signal?.reason)),
            pull: () => waiting(),
          },
          { highWaterMark: 0 },
        ),
      );
    const answer = boundedGetBytes(fetch, URL_ASKED, {}, { clock, ...rest });
    await waits;
    clock.advance(1_000);
    assert.deepEqual(await answer, {
      state: "failed",
      at: "answer",
      code: "REQUEST_TIMEOUT",
      message: "no answer within 1 s",
    });
    assert.equal(clock.alarms, 0);
  });

  test("takes no more than it may of content without end, and lets go of it", async () => {
    let left = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(30)),
      cancel: () => {
        left = true;
      },
    });
    const { fetch } = network({ [URL_ASKED.href]: () => new Response(endless) });
    const answer = exchange(fetch, { url: URL_ASKED }, limits(), (it) => bytesOf(it, 100));
    await assert.rejects(answer, {
      code: "REQUEST_TOO_LARGE",
      message: "the answer is larger than 100 bytes",
    });
    assert.ok(left);
  });

  test("throws what its reader throws, unchanged", async () => {
    const { fetch } = network({ [URL_ASKED.href]: () => new Response("abc") });
    const refusal = new Error("not this");
    const reading = exchange(fetch, { url: URL_ASKED }, limits(), async (it) => {
      for await (const _ of contentOf(it, 100)) throw refusal;
    });
    await assert.rejects(reading, refusal);
  });
});

describe("an answer with an ETag", () => {
  const body = { text: "1", etag: '"one"' as string | undefined };
  const served = () =>
    network({
      [URL_ASKED.href]: ({ headers }) =>
        body.etag !== undefined && headers.get("if-none-match") === body.etag
          ? new Response(null, { status: 304 })
          : new Response(body.text, { headers: body.etag === undefined ? {} : { etag: body.etag } }),
    });

  test("is read once as long as it stays the same", async () => {
    const { fetch, seen } = served();
    let reads = 0;
    const ask = revalidated(fetch, limits(), 10, ({ text }) => {
      reads += 1;
      return `${text} read`;
    });
    for (const _ of [1, 2, 3])
      assert.deepEqual(await ask(URL_ASKED, {}), { state: "answered", value: "1 read" });
    assert.deepEqual([reads, seen.length], [1, 3]);
    Object.assign(body, { text: "2", etag: '"two"' });
    assert.deepEqual(await ask(URL_ASKED, {}), { state: "answered", value: "2 read" });
    Object.assign(body, { text: "3", etag: undefined });
    for (const _ of [1, 2])
      assert.deepEqual(await ask(URL_ASKED, {}), { state: "answered", value: "3 read" });
    assert.equal(seen.at(-1)?.headers.get("if-none-match"), null);
  });

  test("is not taken for unchanged by whoever never had it", async () => {
    const { fetch } = network({ [URL_ASKED.href]: () => new Response(null, { status: 304 }) });
    const answer = await revalidated(fetch, limits(), 10, ({ text }) => text)(URL_ASKED, {});
    assert.match(answer.state === "failed" ? answer.message : "", /304 Not Modified/);
  });

  test("that says when to ask again is told so", async () => {
    const { fetch } = network({
      [URL_ASKED.href]: () => new Response("x", { status: 429, headers: { "retry-after": "60" } }),
    });
    const { clock, ...rest } = limits();
    assert.deepEqual(await revalidated(fetch, { clock, ...rest }, 10, ({ text }) => text)(URL_ASKED, {}), {
      state: "failed",
      at: "answer",
      status: 429,
      message: "unexpected HTTP status: 429 Too Many Requests",
      notBefore: clock.now() + 60_000,
    });
  });
});
