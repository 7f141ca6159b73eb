import { createHash } from "node:crypto";
import { inspect } from "node:util";

const contents = new WeakMap<Sealed, Buffer>();

/**
 * Bytes that nobody is to read on the way: what a command in a container printed. They go into the `data` of a Secret (or into the
 * `data` or `binaryData` of a ConfigMap, where the author decides that they are none), and into nothing else. A status, a note or an event
 * that is handed one does not compile; printed, it tells how long it is.
 */
export class Sealed {
  /** The number of bytes. */
  readonly bytes: number;

  constructor(content: Uint8Array | string) {
    const bytes = Buffer.from(content);
    contents.set(this, bytes);
    this.bytes = bytes.length;
  }

  /** The SHA-256 of the content, in hexadecimal digits: tells whether two are the same. */
  digest(): string {
    return createHash("sha256").update(contentOf(this)).digest("hex");
  }

  /**
   * Takes the content apart. The names of the parts are read by everybody, the parts are sealed again.
   *
   * @param parse is handed the content, and must keep it to itself
   */
  split(
    parse: (content: Uint8Array) => Iterable<readonly [string, Uint8Array | string]>,
  ): ReadonlyMap<string, Sealed> {
    return new Map([...parse(contentOf(this))].map(([name, part]) => [name, new Sealed(part)]));
  }

  /** Its size, never its content. */
  toString(): string {
    return `[sealed: ${this.bytes} bytes]`;
  }

  /** The same where it is written as JSON. */
  toJSON(): string {
    return this.toString();
  }

  /** The same where it is logged. */
  [inspect.custom](): string {
    return this.toString();
  }
}

/** The content of a sealed value: for whoever writes it where it belongs, never for functions. */
export function contentOf(sealed: Sealed): Buffer {
  const content = contents.get(sealed);
  if (content === undefined) throw new TypeError("a Sealed that no constructor made");
  return content;
}
