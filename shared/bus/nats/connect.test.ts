import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "vitest";
import { connectionOptions, connectTo, tooOldSentence } from "./connect.ts";
import { natsOptions } from "./options.ts";

/** Speaks as much of the protocol as a client needs to believe that it is connected. */
async function serverThatSays(info: object): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((socket) => {
    socket.write(
      `INFO ${JSON.stringify({ server_id: "x", headers: true, max_payload: 1_048_576, ...info })}\r\n`,
    );
    socket.on("data", (bytes) => {
      if (bytes.toString().includes("PING")) socket.write("PONG\r\n");
    });
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return { url: `nats://127.0.0.1:${address.port}`, close: () => server.close() };
}

test("a server that is too old is refused with one sentence", async (t) => {
  const server = await serverThatSays({ version: "2.12.4", jetstream: true });
  t.onTestFinished(() => server.close());
  await assert.rejects(connectTo(natsOptions.parse({ servers: [server.url] }), "test"), {
    code: "BUS_SERVER_TOO_OLD",
    message: "nats-server 2.12.4 is too old: leases and timers need 2.14 or newer; update the server.",
  });
});

test("a server without JetStream is refused", async (t) => {
  const server = await serverThatSays({ version: "2.15.2" });
  t.onTestFinished(() => server.close());
  await assert.rejects(connectTo(natsOptions.parse({ servers: [server.url] }), "test"), {
    code: "BUS_MISCONFIGURED",
    message: /runs without JetStream/,
  });
});

test("a server that is not there is named", async () => {
  await assert.rejects(connectTo(natsOptions.parse({ servers: ["nats://127.0.0.1:1"] }), "test"), {
    code: "BUS_UNREACHABLE",
    message: /nats:\/\/127\.0\.0\.1:1/,
  });
});

test("the oldest version is told by its numbers, not by their text", () => {
  for (const version of ["2.14.0", "2.15.2", "2.100.0", "3.0.0", "2.14.0-RC.1"])
    assert.equal(tooOldSentence(version), undefined, version);
  for (const version of ["2.13.9", "2.9.0", "1.99.0", ""])
    assert.notEqual(tooOldSentence(version), undefined, version);
});

test("two sorts of credentials are refused before anything is sent", () => {
  assert.throws(() => connectionOptions(natsOptions.parse({ user: "a", token: "b" }), "test"), {
    code: "BUS_MISCONFIGURED",
  });
});

test("an address holds no credentials, since addresses are shown", () => {
  for (const server of ["nats://user:secret@host:4222", "user:secret@host", "nats://token@host"]) {
    const { error } = natsOptions.safeParse({ servers: [server] });
    assert.match(error?.issues[0]?.message ?? "", /^an address without credentials/);
    assert.doesNotMatch(JSON.stringify(error?.issues), /secret|token@/);
  }
});
