import assert from "node:assert/strict";
import { test } from "vitest";
import { AnswerReader } from "./answer-reader.ts";
import { TransportError } from "./wire.ts";

const LIMIT = 10_000;
const lines = (...text: string[]): string => text.join("\r\n");

/** What an answer comes to, fed in pieces that end at `cuts`; undefined where it is not whole after them. */
function read(bytes: Buffer, cuts: readonly number[], limit = LIMIT) {
  const reader = new AnswerReader(limit);
  let whole = false;
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    assert.ok(!whole, `whole at ${from} of ${bytes.length}`);
    // A copy: what the reader keeps must not lean on its neighbour.
    whole = reader.push(Buffer.from(bytes.subarray(from, to)));
    from = to;
  }
  const { status, keeps, keepsSeconds, gzip, body } = reader;
  if (!whole && !reader.ended()) return undefined;
  return { status, keeps, keepsSeconds, gzip, text: body.toString("utf8") };
}

/** Every way to cut it in two, and byte by byte. */
function* waysToCut(length: number): Generator<readonly number[]> {
  yield [];
  for (let at = 1; at < length; at++) yield [at];
  yield Array.from({ length: length - 1 }, (_, at) => at + 1);
}

const kept = { status: 200, keeps: true, keepsSeconds: undefined, gzip: false };

test("an answer is the same wherever the network cuts it", () => {
  const table: readonly (readonly [string, ReturnType<typeof read>])[] = [
    [
      lines("HTTP/1.1 200 OK", "Content-Length: 9", "", '{"a":"é"}'.slice(0, 8)),
      { ...kept, text: '{"a":"é"' },
    ],
    [lines("HTTP/1.1 200", "content-length:0", "", ""), { ...kept, text: "" }],
    [lines("HTTP/1.1 204 No Content", "Content-Length: 5", "", ""), { ...kept, status: 204, text: "" }],
    [lines("HTTP/1.1 304 Not Modified", "", ""), { ...kept, status: 304, text: "" }],
    [
      lines(
        "HTTP/1.1 200 OK",
        "Transfer-Encoding: chunked",
        "",
        "3",
        "a\r\n",
        'A;x="y"',
        "0123456789",
        "000",
        "",
        "",
      ),
      { ...kept, text: "a\r\n0123456789" },
    ],
    [
      lines(
        "HTTP/1.1 200 OK",
        "TRANSFER-ENCODING:  Chunked ",
        "",
        "2",
        "é",
        "0",
        "X-Sum: 1",
        "X-More: 2",
        "",
        "",
      ),
      { ...kept, text: "é" },
    ],
    [
      lines(
        "HTTP/1.1 100 Continue",
        "",
        "HTTP/1.1 103 Early Hints",
        "Link: </a>",
        "",
        "HTTP/1.1 201 Created",
        "Content-Length: 2",
        "",
        "{}",
      ),
      { ...kept, status: 201, text: "{}" },
    ],
    [
      lines(
        "HTTP/1.1 200 OK",
        "Content-Length: 2",
        "content-length: 2",
        "Connection: keep-alive, Close",
        "",
        "{}",
      ),
      { ...kept, keeps: false, text: "{}" },
    ],
    [
      lines(
        "HTTP/1.1 429 Too Many Requests",
        "Connection: keep-alive",
        "Keep-Alive: max=10, timeout=5",
        "Content-Length: 2",
        "",
        "{}",
      ),
      { ...kept, status: 429, keepsSeconds: 5, text: "{}" },
    ],
    [lines("HTTP/1.0 200 OK", "Content-Length: 2", "", "{}"), { ...kept, keeps: false, text: "{}" }],
    [
      lines("HTTP/1.1 200 OK", "Content-Type: text/plain", "", "until\r\n\r\nthe end"),
      { ...kept, keeps: false, text: "until\r\n\r\nthe end" },
    ],
    [
      lines("HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 1", "", "z"),
      { ...kept, gzip: true, text: "z" },
    ],
    [lines("HTTP/1.1 200 OK", "Content-Length: 3", "", "{}"), undefined],
    [lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "2", "{}", "0", ""), undefined],
  ];
  for (const [text, expected] of table) {
    const bytes = Buffer.from(text);
    for (const cuts of waysToCut(bytes.length))
      assert.deepEqual(read(bytes, cuts), expected, `${text} cut at ${cuts}`);
  }
});

test("what follows an answer makes its connection worthless", () => {
  for (const text of [
    lines("HTTP/1.1 200 OK", "Content-Length: 2", "", "{}HTTP/1.1 200 OK"),
    lines("HTTP/1.1 204 No Content", "", "x"),
    lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "2", "{}", "0", "", "x"),
  ])
    assert.equal(read(Buffer.from(text), [])?.keeps, false, text);
});

test("an answer that could be read in two ways is not read", () => {
  const table: readonly string[] = [
    "SSH-2.0-OpenSSH_9.9\r\n\r\n",
    "\r\nHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/2 200 OK\r\n\r\n",
    "HTTP/1.1 20 OK\r\n\r\n",
    "HTTP/1.1 2000 OK\r\n\r\n",
    "HTTP/1.1 099 No\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\n\r\n",
    "HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\rContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n123456789\r\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nx\n\r\n",
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;${"x".repeat(2000)}\r\n{}\r\n0\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${"a: b\r\n".repeat(5000)}\r\n`,
    `HTTP/1.1 200 OK\r\nx: ${"x".repeat(17_000)}\r\n\r\n`,
    "HTTP/1.1 100 Continue\r\n\r\n".repeat(100),
  ];
  for (const text of table) {
    const bytes = Buffer.from(text);
    const byBytes = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
    for (const cuts of [[], byBytes])
      assert.throws(
        () => read(bytes, cuts),
        (error: unknown) => error instanceof TransportError && error.reason === "broken",
        text.slice(0, 200),
      );
  }
});

test("an answer beyond the limit is given up as soon as that is known", () => {
  const heads = [
    "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n6\r\n012345",
    "HTTP/1.1 200 OK\r\n\r\n01234567890",
  ];
  for (const head of heads)
    assert.throws(
      () => read(Buffer.from(head), [], 10),
      (error: unknown) => error instanceof TransportError && error.reason === "tooLarge",
      head,
    );
  assert.equal(
    read(Buffer.from(`${heads[1]}`.replace(/6\r\n.*$/, "5\r\n01234\r\n0\r\n\r\n")), [], 10)?.text,
    "0123401234",
  );
});

test("headers can be asked for, the first of a name", () => {
  const reader = new AnswerReader(LIMIT);
  reader.push(
    Buffer.from("HTTP/1.1 429 Slow\r\nRetry-After:  7 \r\nretry-after: 9\r\nContent-Length: 0\r\n\r\n"),
  );
  assert.deepEqual(reader.headers, { "retry-after": "7", "content-length": "0" });
});
