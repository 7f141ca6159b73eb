import { connect as connectPlain, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectSecure } from "node:tls";
import type { Clock } from "../../clock/clock.ts";
import { type Exchange, KeptConnection } from "./kept-connection.ts";
import { TransportError } from "./wire.ts";

/** The server closes idle connections after 90 s: ours count as dead before, so that no request meets a dying one. */
const IDLE_MILLISECONDS = 75_000;
/** The time by which a server may close earlier than it said. */
const HASTE_MILLISECONDS = 1000;

/** So long others wait for the connection that greets the server. */
const GREETING_MILLISECONDS = 500;

/** The reason to close a connection that has nothing to carry. */
const unused = (): TransportError => new TransportError("broken", "The connection is not needed");

/** The server to which connections lead. */
export interface Destination {
  readonly host: string;
  readonly port: number;
  /** The options of TLS; undefined: none is spoken. */
  readonly tls: ConnectionOptions | undefined;
}

/** Kept HTTP/1.1 connections to one server, one request at a time on each. What is asked beyond `most` waits in order. */
export class KeptConnections {
  readonly #destination: Destination;
  readonly #most: number;
  readonly #clock: Clock;
  readonly #all = new Set<KeptConnection>();
  /** The one that answered last is asked first, so that the others grow old together. */
  readonly #idle: KeptConnection[] = [];
  readonly #waiting: Exchange[] = [];
  #session: Buffer | undefined;
  /** The connection that greets a server which nobody has greeted yet: others wait for it, but not for long. */
  #greeting: KeptConnection | undefined;
  #isGreeted = false;
  #cancelGreeting = (): void => undefined;
  #cancelClosing: (() => void) | undefined;
  #retired = false;
  readonly #idleMilliseconds: number | undefined;

  /** @param idleMilliseconds a connection that carries nothing for so long is closed. Default: it is there until its server closes it */
  constructor(destination: Destination, most: number, clock: Clock, idleMilliseconds?: number) {
    this.#destination = destination;
    this.#most = most;
    this.#clock = clock;
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** Sends a request; its exchange hears of the answer, or why there is none. */
  send(exchange: Exchange): void {
    const connection = this.#takeIdle() ?? this.#open();
    if (connection === undefined) this.#waiting.push(exchange);
    else connection.send(exchange);
  }

  /** Gives up an exchange that is not answered yet, and tells it why. */
  giveUp(exchange: Exchange, error: TransportError): void {
    exchange.connection?.giveUp(exchange, error);
    const at = this.#waiting.indexOf(exchange);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    exchange.failed(error);
  }

  /** Closes the connections that nobody uses. */
  dropIdle(): void {
    this.#cancelClosing?.();
    this.#cancelClosing = undefined;
    for (const connection of this.#idle.splice(0)) connection.destroy(unused());
  }

  /** Ends when what is under way has ended: nothing more is to be sent. */
  retire(): void {
    this.#retired = true;
    this.dropIdle();
  }

  /** Ends all connections, with what is under way on them. */
  close(): void {
    this.retire();
    for (const exchange of this.#waiting.splice(0))
      exchange.failed(new TransportError("broken", "The client was closed"));
    for (const connection of [...this.#all]) connection.destroy(unused());
  }

  #takeIdle(): KeptConnection | undefined {
    const connection = this.#idle.pop();
    if (connection === undefined) return undefined;
    const said = (connection.keepsSeconds ?? Number.POSITIVE_INFINITY) * 1000 - HASTE_MILLISECONDS;
    if (this.#clock.now() - connection.idleSince < Math.min(said, IDLE_MILLISECONDS)) return connection;
    // The others are older still.
    connection.destroy(unused());
    this.dropIdle();
    return undefined;
  }

  #open(): KeptConnection | undefined {
    if (this.#all.size >= this.#most || this.#greeting !== undefined) return undefined;
    const { host, port, tls } = this.#destination;
    const greets = tls !== undefined && !this.#isGreeted;
    let socket: Socket;
    if (tls === undefined) socket = connectPlain({ host, port });
    else {
      // A session that is taken up again spares both sides a signature.
      const secure = connectSecure({
        ...tls,
        host,
        port,
        ALPNProtocols: ["http/1.1"],
        session: this.#session,
      });
      secure.on("session", (session) => {
        this.#session = session;
        this.#greeted();
      });
      socket = secure;
    }
    const connection = new KeptConnection(socket, tls === undefined ? "connect" : "secureConnect", {
      free: (free) => this.#free(free),
      gone: (gone) => this.#gone(gone),
    });
    this.#all.add(connection);
    if (greets) {
      this.#greeting = connection;
      // One server of several behind an address may be dead: the others answer.
      this.#cancelGreeting = this.#clock.after(GREETING_MILLISECONDS, () => this.#greeted());
    }
    return connection;
  }

  /** Ends the greeting: others go on, over connections that take its session up where there is one. */
  #greeted(): void {
    if (this.#greeting === undefined) return;
    this.#endGreeting();
    this.#isGreeted = true;
    this.#openForWaiting();
  }

  #endGreeting(): void {
    this.#greeting = undefined;
    this.#cancelGreeting();
  }

  /** A request leaves the queue only for a connection that takes it. */
  #openForWaiting(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#open();
      if (connection === undefined) return;
      const next = this.#waiting.shift();
      if (next !== undefined) connection.send(next);
    }
  }

  #free(connection: KeptConnection): void {
    const next = this.#waiting.shift();
    if (next !== undefined) connection.send(next);
    else if (this.#retired) connection.destroy(unused());
    else {
      connection.idleSince = this.#clock.now();
      this.#idle.push(connection);
      this.#closeLater();
    }
    // A server that hands out no sessions is known once it has answered.
    if (this.#greeting === connection) this.#greeted();
  }

  /** Closes those that carried nothing for too long, once the oldest of them has. */
  #closeLater(): void {
    const [oldest] = this.#idle;
    const most = this.#idleMilliseconds;
    if (most === undefined || oldest === undefined || this.#cancelClosing !== undefined) return;
    const left = oldest.idleSince + most - this.#clock.now();
    this.#cancelClosing = this.#clock.after(left, () => {
      this.#cancelClosing = undefined;
      const now = this.#clock.now();
      while (this.#idle[0] !== undefined && this.#idle[0].idleSince + most <= now)
        this.#idle.shift()?.destroy(unused());
      this.#closeLater();
    });
  }

  #gone(connection: KeptConnection): void {
    this.#all.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    // A session may be what the server does not like.
    if (!connection.hasAnswered) this.#session = undefined;
    if (this.#greeting === connection) this.#endGreeting();
    this.#openForWaiting();
  }
}
