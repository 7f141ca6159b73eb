import type { Socket } from "node:net";
import { AnswerReader } from "./answer-reader.ts";
import { TransportError } from "./wire.ts";

/** One request on a kept connection, and who waits for its answer. */
export interface Exchange {
  /** Head and body: one write. */
  readonly text: string;
  /** The most bytes of the answer. */
  readonly most: number;
  /** Called at each piece of an answer that comes in several. */
  readonly onBytes: () => void;
  readonly answered: (answer: AnswerReader) => void;
  readonly failed: (error: TransportError) => void;
  /** The connection that carries it, once one does. */
  connection?: KeptConnection | undefined;
}

/** Those who keep a connection, as it tells them. */
interface Keeper {
  /** The connection has answered and can be asked again. */
  readonly free: (connection: KeptConnection) => void;
  /** The connection is no more. Told once, and before the exchange on it fails. */
  readonly gone: (connection: KeptConnection) => void;
}

const resetCodes = new Set(["ECONNRESET", "EPIPE"]);

const hangUp = (): Error => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });

function failure(error: Error, reader: AnswerReader | undefined, isReused: boolean): TransportError {
  if (error instanceof TransportError) return error;
  if (reader?.answering)
    return new TransportError("broken", "The connection broke in the middle of the answer", { cause: error });
  const reused =
    isReused && !reader?.begun && resetCodes.has(String((error as NodeJS.ErrnoException).code ?? ""));
  return new TransportError("broken", error.message, { reused, cause: error });
}

/** A connection that carries one exchange at a time: written whole, answered whole. */
export class KeptConnection {
  readonly #socket: Socket;
  readonly #keeper: Keeper;
  #ready = false;
  #ended = false;
  #answers = 0;
  #exchange: Exchange | undefined;
  #reader: AnswerReader | undefined;
  /** When the last answer came, of whatever clock the keeper reads. */
  idleSince = 0;
  /** For how long the server said that it keeps the connection. */
  keepsSeconds: number | undefined;

  /** `ready`: the socket's event after which it may be written to. A server that is not believed never hears the request. */
  constructor(socket: Socket, ready: "connect" | "secureConnect", keeper: Keeper) {
    this.#socket = socket;
    this.#keeper = keeper;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    socket.once(ready, () => {
      this.#ready = true;
      if (this.#exchange !== undefined) socket.write(this.#exchange.text);
    });
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("end", () => this.#end());
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy(hangUp()));
  }

  /** True once the server has answered on it. */
  get hasAnswered(): boolean {
    return this.#answers > 0;
  }

  send(exchange: Exchange): void {
    exchange.connection = this;
    this.#exchange = exchange;
    this.#reader = new AnswerReader(exchange.most);
    this.#socket.ref();
    if (this.#ready) this.#socket.write(exchange.text);
  }

  /** Ends the connection where the exchange is still under way on it: what comes late would look like the next answer. */
  giveUp(exchange: Exchange, error: TransportError): void {
    if (this.#exchange === exchange) this.destroy(error);
  }

  destroy(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    const exchange = this.#exchange;
    const reader = this.#reader;
    this.#exchange = undefined;
    this.#keeper.gone(this);
    this.#socket.destroy();
    exchange?.failed(failure(error, reader, this.#answers > 0));
  }

  #read(chunk: Buffer): void {
    const exchange = this.#exchange;
    const reader = this.#reader;
    // What nobody asked for is no answer to the next request either.
    if (exchange === undefined || reader === undefined) {
      this.destroy(hangUp());
      return;
    }
    let isWhole: boolean;
    try {
      isWhole = reader.push(chunk);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      this.destroy(error);
      return;
    }
    if (isWhole) this.#answered(exchange, reader);
    else exchange.onBytes();
  }

  #end(): void {
    const exchange = this.#exchange;
    const reader = this.#reader;
    if (exchange !== undefined && reader?.ended()) this.#answered(exchange, reader);
    else this.destroy(hangUp());
  }

  #answered(exchange: Exchange, reader: AnswerReader): void {
    this.#exchange = undefined;
    this.#reader = undefined;
    this.#answers++;
    if (reader.keeps) {
      this.keepsSeconds = reader.keepsSeconds ?? this.keepsSeconds;
      // Only what somebody waits for keeps a process alive.
      this.#socket.unref();
      this.#keeper.free(this);
    } else this.destroy(hangUp());
    exchange.answered(reader);
  }
}
