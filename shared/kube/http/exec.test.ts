import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, it } from "vitest";
import { WebSocketServer } from "ws";
import { KubeError } from "../errors.ts";
import { fixedCredentials } from "./connection.ts";
import { execute } from "./exec.ts";

const STDOUT = 1;
const STATUS = 3;
const SUCCESS = Buffer.from('{"status":"Success"}');
const MOST = 100_000;

let server: WebSocketServer | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** Runs a command of which a server sends all that it prints in one message. */
async function printing(bytes: number): Promise<{ readonly stdout: Buffer }> {
  const one = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server = one;
  one.on("connection", (socket) => {
    socket.on("error", () => socket.terminate());
    socket.send(Buffer.concat([Buffer.from([STDOUT]), Buffer.alloc(bytes, "x")]));
    socket.send(Buffer.concat([Buffer.from([STATUS]), SUCCESS]));
    socket.close();
  });
  await once(one, "listening");
  const url = `ws://127.0.0.1:${(one.address() as AddressInfo).port}`;
  const connection = {
    server: url,
    namespace: "default",
    tls: {},
    credentials: fixedCredentials("Bearer none"),
    headers: {},
  };
  const transport = {
    handshake: () => ({ url, headers: {}, agent: new Agent() }),
    watchSilence: () => ({ touch: () => undefined, stop: () => undefined }),
  };
  return execute(connection, transport, "/exec", { maximumBytes: MOST, timeoutMilliseconds: 10_000 });
}

it("reads what a command prints in one message, as far as it may", async () => {
  assert.equal((await printing(MOST)).stdout.length, MOST);
});

it.each([MOST + 1, 2 * MOST, 20 * MOST])("says that %d bytes in one message are too many", async (bytes) => {
  await assert.rejects(
    printing(bytes),
    (error) =>
      error instanceof KubeError && error.kind === "invalid" && error.code === "KUBE_OUTPUT_TOO_LARGE",
  );
});
