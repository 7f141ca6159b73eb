import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest, type Server } from "node:http";
import { Agent, createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { it, type TestContext } from "vitest";
import { catalogue } from "../../../events/index.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import { systemClock } from "../../clock/clock.ts";
import { silent } from "../../log/log.ts";
import { createAuthority } from "../../tls/index.ts";
import { ingress, nodeListener, nodeServer } from "./index.ts";

const handler = ingress({
  bus: { ready: () => true, publish: async () => ({ refused: [] }) },
  types: () => catalogue,
  callers: [{ name: "robot", certificate: "robot.example.org" }],
  triggers: [],
  clock: systemClock,
  log: silent,
});

async function listening(t: TestContext, server: Server | ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const event = JSON.stringify({
  specversion: "1.0",
  id: "1",
  type: "release.published",
  source: "/test",
  data: { origin: "o", version: "1" },
});

it("knows a client by a certificate of the right authority, over a real connection", async (t) => {
  const authority = createAuthority();
  const stranger = createAuthority();
  const { certificate: cert, key } = authority.issue({
    commonName: "server",
    serverNames: ["localhost", "127.0.0.1"],
  });
  const server = createServer(
    { cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
    nodeListener(handler),
  );
  const port = await listening(t, server);
  const send = async (
    pair: { readonly certificate: string; readonly key: string } | undefined,
  ): Promise<number> => {
    const agent = new Agent({
      ca: authority.certificate,
      ...(pair && { cert: pair.certificate, key: pair.key }),
    });
    const sent = request({
      agent,
      port,
      host: "127.0.0.1",
      method: "POST",
      path: "/events",
      headers: { "content-type": "application/cloudevents+json", "content-length": Buffer.byteLength(event) },
    });
    sent.end(event);
    const [response] = (await once(sent, "response")) as [{ statusCode: number; resume(): void }];
    response.resume();
    agent.destroy();
    return response.statusCode;
  };
  const subject = { commonName: "robot.example.org" };
  assert.equal(await send(undefined), 401);
  assert.equal(await send(stranger.issue(subject)), 401);
  assert.equal(await send(authority.issue({ commonName: "somebody" })), 401);
  assert.equal(await send(authority.issue(subject)), 202);
});

it("answers what no request may be, and goes on", async (t) => {
  const port = await listening(t, nodeServer(handler));
  const { connect } = await import("node:net");
  for (const text of ["GET / HTTP/1.1\r\nhost: a b\r\n\r\n", "TRACE / HTTP/1.1\r\nhost: x\r\n\r\n"]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(text);
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(String(answer), /^HTTP\/1\.1 400 /);
    socket.destroy();
  }
  const response = await fetch(`http://127.0.0.1:${port}/nowhere`, { method: "POST", body: "x".repeat(10) });
  assert.equal(response.status, 404);
});

it("takes nothing of the header Host for a part of the path", async (t) => {
  const asked: string[] = [];
  const port = await listening(
    t,
    nodeServer(async ({ url }) => {
      asked.push(new URL(url).pathname);
      return new Response();
    }),
  );
  const { connect } = await import("node:net");
  for (const host of ["", "a/other?", "a/other#", "u:p@a", "a:8443"]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /events/one HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    await once(socket, "data");
    socket.destroy();
  }
  assert.deepEqual(asked, Array(5).fill("/events/one"));
});

it("ends a connection whose request it refused unread: what is left of it would stand before the next one", async (t) => {
  const port = await listening(t, nodeServer(handler));
  const post = async (body: string): Promise<readonly [number | undefined, string | undefined]> => {
    const agent = new PlainAgent({ keepAlive: true });
    t.onTestFinished(() => agent.destroy());
    const sent = plainRequest({ agent, port, host: "127.0.0.1", method: "POST", path: "/events" });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    await once(response, "end");
    return [response.statusCode, response.headers.connection];
  };
  assert.deepEqual(await post("x".repeat(200_000)), [401, "close"]);
});

it("bounds what strangers make it keep, and answers them", async (t) => {
  const ringing = ingress({
    bus: { ready: () => true, publish: async () => ({ refused: [] }) },
    types: () => catalogue,
    callers: [],
    triggers: [
      {
        trigger: {
          name: "bell",
          proof: { signature: "x-signature" },
          late: "refuse",
          types: [],
          typeOf: () => undefined,
          read: () => ({ notices: [] }),
        },
        secret: async () => "ding",
      },
    ],
    clock: systemClock,
    log: silent,
  });
  const port = await listening(t, nodeServer(ringing));
  const { connect } = await import("node:net");
  const [size, most, all] = [1_048_576, 16, 24];
  const head = `POST /triggers/bell HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`;
  const answers: string[] = [];
  const sockets = Array.from({ length: all }, () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.on("data", (text) => answers.push(String(text)));
    socket.write(head);
    // The last byte is held back.
    socket.write(Buffer.alloc(size - 1, 0x20));
    return socket;
  });
  t.onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await eventually("the others are told to come again", async () => answers.length >= all - most);
  for (const text of answers) assert.match(text, /^HTTP\/1\.1 503 /);
  for (const socket of sockets) socket.end(" ");
  await eventually("those that were kept are answered", async () => answers.length === all);
  assert.equal(answers.filter((text) => text.startsWith("HTTP/1.1 401 ")).length, most);
});
