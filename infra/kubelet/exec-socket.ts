import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocketServer } from "ws";
import type { Ended } from "./pod-files.ts";

/** The subprotocol of commands: each message begins with the number of its channel. */
const PROTOCOL = "v4.channel.k8s.io";
const STDOUT = 1;
const STATUS = 3;
const CHUNK = 32 * 1024;

let sockets: Promise<WebSocketServer> | undefined;

/** Most control planes never see a command, so what answers one is loaded with the first. */
async function load(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import("ws");
  return new Server({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
}

const onChannel = (channel: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([channel]), content]);

/** Answers a request for a command (`pods/exec`) with what it printed, as a kubelet does. */
export async function answerExec(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  end: Ended,
): Promise<void> {
  sockets ??= load();
  (await sockets).handleUpgrade(request, socket, head, (open) => {
    for (let at = 0; at < end.stdout.length; at += CHUNK)
      open.send(onChannel(STDOUT, end.stdout.subarray(at, at + CHUNK)));
    open.send(onChannel(STATUS, Buffer.from(JSON.stringify(statusOf(end)))));
    open.close(1000);
  });
}

/** Refuses the request before it becomes a WebSocket. */
export function refuseExec(socket: Duplex, code: number, reason: string, body: string): void {
  socket.end(
    `HTTP/1.1 ${code} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const statusOf = ({ exitCode }: Ended): object =>
  exitCode === 0
    ? { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" }
    : {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        reason: "NonZeroExitCode",
        message: `command terminated with non-zero exit code: exit status ${exitCode}`,
        details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
      };
