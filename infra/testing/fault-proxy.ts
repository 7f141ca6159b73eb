import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

const HOST = "127.0.0.1";
const SLOW_MILLISECONDS = 300;

/**
 * The mode of a proxy. `refuse`: nobody listens, and open ones are reset. `stall`: bytes are taken and kept. `swallow`: requests
 * arrive and no answer comes back. `reset`: each connection ends with RST. `half-close`: the server's side ends while the
 * client's stays open. `slow`: each piece comes 300 ms late.
 */
export type ProxyMode = "pass" | "refuse" | "stall" | "swallow" | "reset" | "half-close" | "slow";

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** A TCP proxy on loopback between a process and what it talks to: the place where a network breaks. */
export class FaultProxy {
  /** Bytes of answers that were kept from their clients. */
  swallowed = 0;
  readonly port: number;
  readonly #target: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #mode: ProxyMode = "pass";

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (client) => this.#accept(client));
  }

  /** Listens on a free port and passes everything on to `target`. */
  static async start(target: number): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true });
    server.listen(0, HOST);
    await once(server, "listening");
    return new FaultProxy(server, target);
  }

  /** The connections that are open. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Open connections follow the new mode too; those that were stalled go on where they stood. */
  async set(mode: ProxyMode): Promise<void> {
    const before = this.#mode;
    this.#mode = mode;
    if (before === "refuse" && mode !== "refuse") {
      this.#server.listen(this.port, HOST);
      await once(this.#server, "listening");
    }
    for (const pair of this.#pairs) this.#follow(pair);
    if (mode === "refuse" && before !== "refuse") await this.#unlisten();
  }

  async stop(): Promise<void> {
    for (const pair of this.#pairs) end(pair);
    if (this.#mode !== "refuse") await this.#unlisten();
  }

  #unlisten(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #accept(client: Socket): void {
    const server = connect({ port: this.#target, host: HOST, allowHalfOpen: true });
    const pair: Pair = { client, server };
    this.#pairs.add(pair);
    const forget = (): void => {
      end(pair);
      this.#pairs.delete(pair);
    };
    for (const socket of [client, server]) {
      // A broken connection is what this is for: both ends go.
      socket.on("error", forget);
      socket.on("close", forget);
    }
    client.on("data", (bytes) => this.#pass(server, bytes));
    server.on("data", (bytes) => {
      if (this.#mode === "swallow") this.swallowed += bytes.length;
      else this.#pass(client, bytes);
    });
    client.on("end", () => server.end());
    server.on("end", () => client.end());
    this.#follow(pair);
  }

  #pass(to: Socket, bytes: Buffer): void {
    if (this.#mode === "slow") setTimeout(() => to.write(bytes), SLOW_MILLISECONDS).unref();
    else to.write(bytes);
  }

  #follow(pair: Pair): void {
    const { client, server } = pair;
    if (this.#mode === "refuse" || this.#mode === "reset") end(pair);
    else if (this.#mode === "half-close") client.end();
    else if (this.#mode === "stall") {
      client.pause();
      server.pause();
    } else {
      client.resume();
      server.resume();
    }
  }
}

function end({ client, server }: Pair): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}
