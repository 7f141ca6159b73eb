import type { IncomingHttpHeaders } from "node:http";
import { TransportError, tooLarge } from "./wire.ts";

/** The most bytes of a head; Node's own parser takes as many. */
const MOST_HEAD = 16 * 1024;
/** The size of a chunk, with extensions that nobody reads. */
const MOST_LINE = 1024;
/** Interim answers (1xx) before the answer itself. */
const MOST_INTERIM = 16;

const headEnd = Buffer.from("\r\n\r\n");
const start = "HTTP/1.";
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |\r|$)/;
/** Text that no parser reads like another: a line that goes on in the next one, and half a line break. */
const ambiguous = /\r\n[ \t]|[^\r]\n|\r(?!\n)/;
/** The headers that frame an answer. */
const framing =
  /\r\n(content-length|transfer-encoding|connection|keep-alive|content-encoding)[ \t]*:[ \t]*([^\r]*)/gi;
const chunkSize = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r$/i;

const broken = (what: string): TransportError =>
  new TransportError("broken", `The answer is no HTTP: ${what}`);

/** The part that comes next. `close`: all until the connection ends. */
type Part = "head" | "length" | "close" | "size" | "data" | "dataEnd" | "trailers" | "whole";

/**
 * Reads one HTTP/1.1 answer from the pieces in which it comes. Only the few headers that frame it are looked at: of thousands of
 * answers one is asked for another.
 */
export class AnswerReader {
  status = 0;
  /** False: the connection ends with this answer. */
  keeps = true;
  /** For how long the server says that it keeps the connection. */
  keepsSeconds: number | undefined;
  gzip = false;
  /** Something has come, even if it was no whole head. */
  begun = false;
  readonly #limit: number;
  #part: Part = "head";
  #head = "";
  #interim = 0;
  /** The begin of a head that has not come whole. */
  #rest: Buffer | undefined;
  /** The begin of a line between chunks that has not come whole. */
  #line = "";
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;
  #size = 0;
  #trailers = 0;
  readonly #pieces: Buffer[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes the next bytes; true: the answer is whole. Throws a `TransportError`. */
  push(chunk: Buffer): boolean {
    this.begun = true;
    let bytes = chunk;
    while (this.#part === "head") {
      const after = this.#readHead(bytes);
      if (after === undefined) return false;
      bytes = after;
    }
    if (this.#part === "whole") return this.#wholeBefore(bytes.length);
    if (this.#part === "close") {
      this.#keep(bytes);
      return false;
    }
    if (this.#part !== "length") return this.#readChunks(bytes);
    const piece = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#keep(piece);
    this.#left -= piece.length;
    return this.#left === 0 && this.#wholeBefore(bytes.length - piece.length);
  }

  /** The server said its last; true: that was how this answer ends. */
  ended(): boolean {
    return this.#part === "close";
  }

  /** True once the head has come: what breaks then breaks in the middle of the answer. */
  get answering(): boolean {
    return this.#part !== "head";
  }

  get headers(): IncomingHttpHeaders {
    const headers: Record<string, string> = {};
    for (const line of this.#head.split("\r\n").slice(1)) {
      const colon = line.indexOf(":");
      if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] ??= line.slice(colon + 1).trim();
    }
    return headers;
  }

  get body(): Buffer {
    const [only] = this.#pieces;
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
  }

  /** Gives back what comes after the head; undefined where it is not whole. */
  #readHead(chunk: Buffer): Buffer | undefined {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.indexOf(headEnd);
    if (end > MOST_HEAD || (end < 0 && bytes.length > MOST_HEAD))
      throw broken(`its head is longer than ${MOST_HEAD} bytes`);
    if (end < 0) {
      if (!start.startsWith(bytes.toString("latin1", 0, Math.min(bytes.length, start.length))))
        throw broken("it begins otherwise");
      this.#rest = bytes;
      return undefined;
    }
    this.#rest = undefined;
    this.#begin(bytes.toString("latin1", 0, end));
    return bytes.subarray(end + headEnd.length);
  }

  #begin(head: string): void {
    const line = statusLine.exec(head);
    if (line === null || ambiguous.test(head)) throw broken("its head cannot be read");
    this.status = Number(line[2]);
    if (this.status === 101) throw broken("it changes the protocol");
    if (this.status < 200) {
      if (++this.#interim > MOST_INTERIM) throw broken("it goes on saying that it will come");
      return;
    }
    this.#head = head;
    this.keeps = line[1] === "1";
    this.#frame(head);
  }

  #frame(head: string): void {
    let length: string | undefined;
    let encoding: string | undefined;
    framing.lastIndex = 0;
    for (let found = framing.exec(head); found !== null; found = framing.exec(head)) {
      const value = (found[2] ?? "").trim().toLowerCase();
      switch (found[1]?.toLowerCase()) {
        case "content-length":
          if (!/^\d{1,15}$/.test(value) || (length !== undefined && length !== value))
            throw broken("its length is unclear");
          length = value;
          break;
        case "transfer-encoding":
          if (encoding !== undefined || value !== "chunked") throw broken("its encoding is unknown");
          encoding = value;
          break;
        case "connection":
          if (/(?:^|[ ,])close(?:$|[ ,])/.test(value)) this.keeps = false;
          break;
        case "keep-alive": {
          const seconds = /(?:^|[ ,])timeout=(\d+)/.exec(value)?.[1];
          if (seconds !== undefined) this.keepsSeconds = Number(seconds);
          break;
        }
        default:
          this.gzip = value === "gzip";
      }
    }
    // Two ways to say where an answer ends are how one is hidden in another.
    if (encoding !== undefined && length !== undefined) throw broken("its length is unclear");
    if (this.status === 204 || this.status === 304) this.#part = "whole";
    else if (encoding !== undefined) this.#part = "size";
    else if (length === undefined) {
      this.#part = "close";
      this.keeps = false;
    } else {
      this.#left = Number(length);
      if (this.#left > this.#limit) throw tooLarge(this.#limit);
      this.#part = this.#left === 0 ? "whole" : "length";
    }
  }

  #readChunks(bytes: Buffer): boolean {
    let at = 0;
    for (;;) {
      if (this.#part === "data") {
        const piece = bytes.subarray(at, at + this.#left);
        this.#keep(piece);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#left > 0) return false;
        this.#part = "dataEnd";
      }
      const end = bytes.indexOf(10, at);
      this.#line += bytes.toString("latin1", at, end < 0 ? bytes.length : end);
      if (this.#line.length > MOST_LINE) throw broken("a line between its chunks is too long");
      if (end < 0) return false;
      const line = this.#line;
      this.#line = "";
      at = end + 1;
      this.#readLine(line);
      if (this.#part === "whole") return this.#wholeBefore(bytes.length - at);
    }
  }

  #readLine(line: string): void {
    if (this.#part === "size") {
      const size = chunkSize.exec(line)?.[1];
      if (size === undefined) throw broken("a chunk has no size");
      this.#left = Number.parseInt(size, 16);
      this.#part = this.#left === 0 ? "trailers" : "data";
    } else if (this.#part === "dataEnd") {
      if (line !== "\r") throw broken("a chunk is longer than its size");
      this.#part = "size";
    } else if (line === "\r") this.#part = "whole";
    else {
      this.#trailers += line.length;
      if (!line.endsWith("\r") || this.#trailers > MOST_HEAD) throw broken("what follows it cannot be read");
    }
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    if (this.#size > this.#limit) throw tooLarge(this.#limit);
    this.#pieces.push(piece);
  }

  /** Bytes after an answer were asked by nobody: such a connection is not kept. */
  #wholeBefore(more: number): true {
    this.#part = "whole";
    if (more > 0) this.keeps = false;
    return true;
  }
}
