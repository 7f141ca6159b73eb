import type { Store, StoredEvent } from "../store/store.ts";

/** One open watch, as the hub sees it. */
export interface Subscriber {
  event(event: StoredEvent): void;
  /** The kind changed or went: the watch is to end cleanly. */
  end(): void;
}

/** Hands stored changes to the watches of their resource. */
export class Hub {
  readonly #byResource = new Map<string, Set<Subscriber>>();
  /** Versions before which a resource cannot be resumed, because its kind changed. */
  readonly #floors = new Map<string, number>();
  readonly #unsubscribe: () => void;
  constructor(store: Store) {
    this.#unsubscribe = store.subscribe((event) => {
      for (const subscriber of this.#byResource.get(event.resource) ?? []) subscriber.event(event);
    });
  }

  subscribe(resource: string, subscriber: Subscriber): () => void {
    const subscribers = this.#byResource.get(resource) ?? new Set();
    this.#byResource.set(resource, subscribers.add(subscriber));
    return () => subscribers.delete(subscriber);
  }

  /** A watch of this resource resumes only from versions not below this one. */
  floor(resource: string): number {
    return this.#floors.get(resource) ?? 0;
  }

  /** Ends all watches of a resource; older versions can then not be resumed. */
  endAll(resource: string, version: number): void {
    this.#floors.set(resource, version);
    for (const subscriber of [...(this.#byResource.get(resource) ?? [])]) subscriber.end();
  }

  close(): void {
    this.#unsubscribe();
    for (const subscribers of this.#byResource.values()) for (const one of [...subscribers]) one.end();
  }
}
