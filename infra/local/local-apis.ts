import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import type { Pair } from "../../shared/tls/index.ts";
import type { Kernel } from "./kernel.ts";
import { startKernel } from "./local-api.ts";
import type { Faces } from "./resource-type.ts";
import { listen, respond } from "./server/server.ts";
import { authenticateTokens, type TokenUser } from "./server/users.ts";
import { Store } from "./store/store.ts";

/** An API server keeps a connection that nobody uses for so long. */
const KEPT_MILLISECONDS = 90_000;
/** Watches resume within few changes: there are many of these servers. */
const WINDOW = { events: 200, bytes: 1024 * 1024 };

export interface LocalApisOptions {
  readonly pair: Pair;
  readonly users: readonly TokenUser[];
  /** Called once for each cluster, before its first request is answered. */
  readonly made?: (name: string, kernel: Kernel) => void;
  /** Called for each request; it is answered once what this returns has resolved. */
  readonly enter?: (
    name: string,
    request: Http2ServerRequest,
    response: Http2ServerResponse,
  ) => Promise<void> | undefined;
  /** Discovery, tables and the like. */
  readonly faces?: Partial<Faces>;
}

/** Many clusters behind one address, each below `/<its name>`: in memory, and made when it is first asked. */
export interface LocalApis {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts them. Throws a `ListenError`. */
export async function startLocalApis({
  pair,
  users,
  made,
  enter,
  faces = {},
}: LocalApisOptions): Promise<LocalApis> {
  const authenticate = authenticateTokens(users);
  const clusters = new Map<string, ReturnType<typeof startKernel>>();
  const clusterOf = (name: string): Kernel => {
    const known = clusters.get(name);
    if (known !== undefined) return known.kernel;
    const started = startKernel(new Store(":memory:", WINDOW), {});
    clusters.set(name, started);
    made?.(name, started.kernel);
    return started.kernel;
  };
  const server = createSecureServer({ allowHTTP1: true, cert: pair.certificate, key: pair.key });
  Object.assign(server, { keepAliveTimeout: KEPT_MILLISECONDS });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("secureConnection", (socket: Socket) => socket.setNoDelay(true));
  // A client that goes away in the middle of its handshake is nobody's fault here.
  server.on("sessionError", () => undefined);
  server.on("request", (request, response) => {
    const [, name = "", path = "/"] = /^\/([^/?]+)(\/.*)?$/.exec(request.url) ?? [];
    const answer = async (): Promise<void> => {
      await enter?.(name, request, response);
      await respond({ kernel: clusterOf(name), faces }, authenticate, request, response, path);
    };
    void answer();
  });
  const port = await listen(server, "127.0.0.1", 0);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          for (const { close } of clusters.values()) close();
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
