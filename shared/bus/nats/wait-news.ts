import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import type { WaitedObject } from "../contract.ts";
import { isFollowed, newlyFollowed } from "../followed.ts";
import { keyName } from "../key-name.ts";
import type { Names } from "./names.ts";
import { readable } from "./store.ts";
import { VERSION } from "./version.ts";
import { waitsMessageOf } from "./wait-index.ts";

/**
 * Hears of waits as hosts write them, without asking: what is stored under a subject passes there. What passed while the connection
 * was away is missed; whoever listens asks then.
 */
export class WaitNews {
  readonly #connection: Pick<NatsConnection, "subscribe">;
  readonly #names: Pick<Names, "prefix">;
  readonly #tell: (objects: readonly WaitedObject[] | undefined) => void;
  /** The followed objects of each key that waits now, as many as the index of waits holds: those of a forgotten key would be told again. */
  readonly #before = new Map<string, readonly WaitedObject[]>();
  #subscription: Subscription | undefined;

  constructor(
    connection: Pick<NatsConnection, "subscribe">,
    names: Pick<Names, "prefix">,
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
    const followed = message.waits.filter(isFollowed);
    if (followed.length > 0) this.#before.set(key, followed);
    if (told.length > 0) this.#tell(told);
  }
}
