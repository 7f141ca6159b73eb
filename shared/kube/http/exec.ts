import type { IncomingMessage } from "node:http";
import type { RawData, WebSocket } from "ws";
import { jsonOf } from "../../json/parse.ts";
import type { ExecOptions } from "../client.ts";
import { KubeError, type KubeStatus } from "../errors.ts";
import { refusal } from "./classify.ts";
import type { Connection } from "./connection.ts";
import type { Transport } from "./transport.ts";

/** The result of a command in a container. */
export interface Executed {
  readonly exitCode: number;
  readonly stdout: Buffer;
}

/** The part of a transport that opens WebSockets. */
type Handshakes = Pick<Transport, "handshake" | "watchSilence">;

/** With version 5 the API server talks SPDY to the kubelet; of this one both sides have known for longer. */
const PROTOCOL = "v4.channel.k8s.io";
const STDOUT = 1;
const STATUS = 3;
/** The most bytes of a refusal, or of the status at the end. */
const MOST_STATUS = 64 * 1024;

/** The code of the error about a message that is larger than `maxPayload`. */
const TOO_LARGE = "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";

/** Runs a command over a WebSocket (`pods/exec`). Throws a `KubeError`. */
export async function execute(
  connection: Connection,
  transport: Handshakes,
  path: string,
  options: ExecOptions & { readonly timeoutMilliseconds: number },
): Promise<Executed> {
  try {
    return await attempt(connection, transport, path, options);
  } catch (error) {
    const isRefused = error instanceof KubeError && error.kind === "unauthorized";
    if (!isRefused || !connection.credentials.refused()) throw error;
    return attempt(connection, transport, path, options);
  }
}

async function attempt(
  connection: Connection,
  transport: Handshakes,
  path: string,
  options: ExecOptions & { readonly timeoutMilliseconds: number },
): Promise<Executed> {
  const request = `GET ${path.split("?")[0]}`;
  const { default: Socket } = await import("ws");
  const { url, headers, agent } = transport.handshake(path, await connection.credentials.current());
  const socket = new Socket(url, [PROTOCOL], {
    headers,
    agent,
    handshakeTimeout: options.timeoutMilliseconds,
    maxPayload: Math.max(options.maximumBytes, MOST_STATUS) + 1,
    perMessageDeflate: false,
  });
  const quiet = transport.watchSilence(options.timeoutMilliseconds, () => socket.terminate());
  const abort = (): void => socket.terminate();
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    if (options.signal?.aborted) abort();
    return await output(socket, request, options, quiet.touch);
  } finally {
    quiet.stop();
    options.signal?.removeEventListener("abort", abort);
    socket.terminate();
  }
}

function output(
  socket: WebSocket,
  request: string,
  { maximumBytes, signal }: ExecOptions,
  heard: () => void,
): Promise<Executed> {
  const chunks: Buffer[] = [];
  let size = 0;
  let status: KubeStatus | undefined;
  return new Promise((resolve, reject) => {
    const broken = (why: string, cause?: unknown): void =>
      reject(
        signal?.aborted
          ? new KubeError("aborted", "The command was given up.", { request, cause: signal.reason })
          : new KubeError("unavailable", why, { request, cause }),
      );
    socket.on("unexpected-response", (_, response: IncomingMessage) => {
      refusedWith(response).then((text) => {
        const { statusCode = 0, headers } = response;
        reject(refusal({ status: statusCode, headers, text }, { name: request }));
      }, reject);
    });
    const tooLarge = (): void =>
      reject(
        new KubeError("invalid", `The command prints more than ${maximumBytes} bytes.`, {
          request,
          code: "KUBE_OUTPUT_TOO_LARGE",
        }),
      );
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // The whole output may come in one message, which is cut before it is read.
      if (error.code === TOO_LARGE) tooLarge();
      else broken(`The connection broke: ${error.message}`, error);
    });
    socket.on("message", (data: RawData) => {
      heard();
      const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
      const [channel] = bytes;
      const content = bytes.subarray(1);
      if (channel === STDOUT) {
        size += content.length;
        if (size > maximumBytes) {
          tooLarge();
          socket.terminate();
        } else chunks.push(content);
      } else if (channel === STATUS && content.length > 0) status = statusOf(content);
    });
    socket.on("close", () => {
      const exitCode = status === undefined ? undefined : exitCodeOf(status);
      if (exitCode !== undefined) resolve({ exitCode, stdout: Buffer.concat(chunks) });
      else broken(status?.message ?? "The connection ended before the command did.");
    });
  });
}

async function refusedWith(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_STATUS) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const statusOf = (content: Buffer): KubeStatus | undefined =>
  jsonOf(content.toString()) as KubeStatus | undefined;

/** The exit code that the status tells; undefined where the command could not be run. */
function exitCodeOf(status: KubeStatus & { readonly status?: string }): number | undefined {
  if (status.status === "Success") return 0;
  if (status.reason !== "NonZeroExitCode") return undefined;
  const code = Number(status.details?.causes?.find(({ reason }) => reason === "ExitCode")?.message);
  return Number.isInteger(code) ? code : undefined;
}
