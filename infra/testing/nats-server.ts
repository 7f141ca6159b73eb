import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@nats-io/transport-node";
import { silent } from "../../shared/log/log.ts";
import { Child } from "../control-plane/child.ts";
import { freePort } from "../control-plane/ports.ts";
import { eventually } from "./eventually.ts";
import { programOnPath } from "./program-on-path.ts";

export interface NatsServerOptions {
  /** More of the server's configuration: users, TLS, a cluster. */
  readonly configuration?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Names it in a cluster. */
  readonly name?: string | undefined;
  /** False where a plain client cannot connect: the caller then waits itself. */
  readonly waits?: boolean | undefined;
}

/** A nats-server with file storage, for a test. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  readonly name: string;
  readonly pid: number | undefined;
  readonly folder: string;
  readonly logFile: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Again, on the same port and files, with another configuration where one is given. */
  start(configuration?: string): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** The reason why no nats-server can run here, or false. With `CI=true` always false: the start then says what is missing. */
export const skipWithoutNats = (): string | false =>
  process.env.CI !== "true" && programOnPath("nats-server") === undefined
    ? "there is no nats-server on PATH: get one from https://github.com/nats-io/nats-server/releases (2.14 or newer)"
    : false;

/** Starts a nats-server of its own folder and port and waits until it answers. It dies with this process. */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const program = programOnPath("nats-server");
  if (program === undefined) throw new Error("There is no nats-server on PATH.");
  const folder = mkdtempSync(join(tmpdir(), "nats-"));
  const port = options.port ?? (await freePort());
  const name = options.name ?? "test";
  const file = join(folder, "server.conf");
  const write = (more: string): void =>
    writeFileSync(
      file,
      [
        `server_name: ${name}`,
        `listen: 127.0.0.1:${port}`,
        `jetstream {\n  store_dir: ${JSON.stringify(join(folder, "store"))}\n}`,
        more,
        "",
      ].join("\n"),
    );
  write(options.configuration ?? "");
  const logFile = join(folder, "server.log");
  const child = new Child({ program, flags: ["-c", file], logFile, removeOnDeath: folder, log: silent });
  const url = `nats://127.0.0.1:${port}`;
  const start = async (): Promise<void> => {
    child.start();
    if (options.waits !== false) await Promise.race([answers(url), child.failure()]);
  };
  await start();
  return {
    url,
    port,
    name,
    folder,
    logFile,
    get pid() {
      return child.pid;
    },
    kill: () => child.kill("SIGKILL"),
    start: async (configuration) => {
      if (configuration !== undefined) write(configuration);
      await start();
    },
    freeze: () => child.freeze(),
    thaw: () => child.thaw(),
    async stop() {
      await child.kill("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when it takes connections and JetStream has its streams back. */
const answers = (url: string): Promise<true> =>
  eventually(`nats-server at ${url} answers`, async () => {
    try {
      const connection = await connect({ servers: url, timeout: 1_000, maxReconnectAttempts: 0 });
      try {
        const answer = await connection.request("$JS.API.INFO", "", { timeout: 1_000 });
        return (answer.json() as { readonly error?: unknown }).error === undefined;
      } finally {
        await connection.close();
      }
    } catch {
      // Not yet.
      return false;
    }
  });

/** Three servers that keep everything three times, on ports of their own. */
export async function startNatsCluster(): Promise<readonly NatsServer[]> {
  const ports = await Promise.all([0, 1, 2, 3, 4, 5].map(() => freePort()));
  const [clients, routes] = [ports.slice(0, 3), ports.slice(3)];
  return Promise.all(
    clients.map((port, at) =>
      startNatsServer({
        port,
        name: `n${at}`,
        configuration: [
          "cluster {",
          "  name: test",
          `  listen: 127.0.0.1:${routes[at]}`,
          `  routes: [${routes.map((route) => `nats://127.0.0.1:${route}`).join(", ")}]`,
          "}",
        ].join("\n"),
      }),
    ),
  );
}
