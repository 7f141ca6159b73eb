import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type TestContext, test } from "vitest";
import { eventually } from "./eventually.ts";
import { FaultProxy } from "./fault-proxy.ts";

interface Line {
  readonly socket: Socket;
  /** Everything that came back. */
  readonly heard: () => string;
}

/** A server that says everything twice, and a proxy before it. */
async function twice(
  t: TestContext,
): Promise<{ proxy: FaultProxy; call: () => Promise<Line>; asked: () => string }> {
  let asked = "";
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      asked += bytes;
      socket.write(`${bytes}${bytes}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy = await FaultProxy.start((server.address() as AddressInfo).port);
  const lines: Socket[] = [];
  t.onTestFinished(async () => {
    for (const socket of lines) socket.destroy();
    await proxy.stop();
    server.close();
  });
  const call = async (): Promise<Line> => {
    const socket = connect({ port: proxy.port, host: "127.0.0.1", allowHalfOpen: true });
    let heard = "";
    socket.on("data", (bytes) => {
      heard += bytes;
    });
    lines.push(socket);
    await once(socket, "connect");
    return { socket, heard: () => heard };
  };
  return { proxy, call, asked: () => asked };
}

test("a proxy passes on what both sides say", async (t) => {
  const { call } = await twice(t);
  const { socket, heard } = await call();
  socket.write("a");
  await eventually("an answer", () => heard() === "aa");
});

test("refusing resets what is open and listens no longer, until it passes again", async (t) => {
  const { proxy, call } = await twice(t);
  const { socket } = await call();
  const broken = once(socket, "error");
  await proxy.set("refuse");
  assert.equal(((await broken)[0] as NodeJS.ErrnoException).code, "ECONNRESET");
  await assert.rejects(call(), { code: "ECONNREFUSED" });
  await proxy.set("pass");
  const again = await call();
  again.socket.write("b");
  await eventually("an answer", () => again.heard() === "bb");
});

test("what is stalled arrives once it passes again", async (t) => {
  const { proxy, call, asked } = await twice(t);
  const { socket, heard } = await call();
  await proxy.set("stall");
  socket.write("c");
  const other = await call();
  other.socket.write("d");
  assert.equal(asked(), "");
  await proxy.set("pass");
  await eventually("both answers", () => heard() === "cc" && other.heard() === "dd");
});

test("a swallowed answer was asked for, and never comes", async (t) => {
  const { proxy, call, asked } = await twice(t);
  const { socket, heard } = await call();
  await proxy.set("swallow");
  socket.write("e");
  await eventually("the request", () => asked() === "e");
  // The answer is on its way yet when the server has the request.
  await eventually("its answer", () => proxy.swallowed === 2);
  await proxy.set("pass");
  socket.write("f");
  await eventually("the next answer", () => heard() === "ff");
});

test("a half-closed connection ends for the client alone", async (t) => {
  const { proxy, call, asked } = await twice(t);
  const { socket, heard } = await call();
  socket.write("g");
  // An answer that is still on its way would meet a side that has ended, and break the connection.
  await eventually("the answer", () => heard() === "gg");
  const ended = once(socket, "end");
  await proxy.set("half-close");
  await ended;
  socket.write("h");
  await eventually("the request after it", () => asked() === "gh");
});
