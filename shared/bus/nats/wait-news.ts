import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import type { WaitedObject } from "../contract.ts";
import { newlyFollowed } from "../followed.ts";
import { keyName } from "../key-name.ts";
import type { Names } from "./names.ts";
import { readable } from "./store.ts";
import { VERSION } from "./version.ts";
import { waitsMessageOf } from "./wait-index.ts";

/** The most keys whose former waits are remembered; of others an object may be told twice. */
const MOST_KEYS = 20_000;

/**
 * Hears of waits as hosts write them, without asking: what is stored under a subject passes there. What passed while the connection
 * was away is missed; whoever listens asks then.
 */
export class WaitNews {
  readonly #connection: NatsConnection;
  readonly #names: Names;
  readonly #tell: (objects: readonly WaitedObject[] | undefined) => void;
  readonly #before = new Map<string, readonly WaitedObject[]>();
  #subscription: Subscription | undefined;

  constructor(
    connection: NatsConnection,
    names: Names,
    tell: (objects: readonly WaitedObject[] | undefined) => void,
  ) {
    this.#connection = connection;
    this.#names = names;
    this.#tell = tell;
  }

  /** Begins to listen; twice is once. */
  listen(): void {
    this.#subscription ??= this.#connection.subscribe(`${this.#names.prefix}.v.>`, {
      callback: (error, message) => {
        if (error === null) this.#take(message.data);
      },
    });
  }

  /** Something may have been missed. */
  missed(): void {
    if (this.#subscription === undefined) return;
    this.#before.clear();
    this.#tell(undefined);
  }

  #take(body: Uint8Array): void {
    // What cannot be read is told by whoever reads the stream.
    const message = readable(() => waitsMessageOf(body));
    if (message === undefined || message.version > VERSION) return;
    const key = keyName(message);
    const told = newlyFollowed(message.waits, this.#before.get(key) ?? []);
    this.#before.delete(key);
    if (message.waits.length > 0) this.#before.set(key, message.waits);
    for (const oldest of this.#before.keys()) {
      if (this.#before.size <= MOST_KEYS) break;
      this.#before.delete(oldest);
    }
    if (told.length > 0) this.#tell(told);
  }
}
