import type { Clock } from "../../../shared/clock/clock.ts";
import type { AwaitedObject, KeepsWaits } from "../awaited/waits.ts";

/**
 * An answer of the bus serves all who ask within this time: each costs a look at all waits. It may lack what was told since, and nobody takes
 * that for ended.
 */
const SHARED_MILLISECONDS = 15_000;

/** The objects that are waited for in each cluster. */
type ByCluster = ReadonlyMap<string, readonly AwaitedObject[]>;
type Listener = Parameters<KeepsWaits["subscribe"]>[0]["waits"];

/** A question to the bus. */
interface Asked {
  readonly at: number;
  readonly answer: Promise<ByCluster>;
}

/** The waits of a bus by cluster, so that hundreds of clusters ask it no more often than one. */
export class WaitsHub {
  readonly #bus: KeepsWaits;
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Listener>();
  #asked: Asked | undefined;

  constructor(bus: KeepsWaits, clock: Clock) {
    this.#bus = bus;
    this.#clock = clock;
  }

  /** The waits of one cluster, as who follows it asks for them. */
  of(cluster: string): KeepsWaits {
    return {
      waits: async () => (await this.#answer().answer).get(cluster) ?? [],
      subscribe: ({ waits }) => {
        this.#listeners.set(cluster, waits);
        return () => {
          if (this.#listeners.get(cluster) === waits) this.#listeners.delete(cluster);
        };
      },
    };
  }

  /** Tells those who follow a cluster what is waited for there; undefined: something may have been missed. */
  tell(objects: readonly AwaitedObject[] | undefined): void {
    if (objects === undefined) {
      this.#asked = undefined;
      for (const listener of [...this.#listeners.values()]) listener(undefined);
      return;
    }
    for (const [cluster, of] of Map.groupBy(objects, ({ cluster }) => cluster))
      this.#listeners.get(cluster)?.(of);
  }

  #answer(): Asked {
    const now = this.#clock.now();
    if (this.#asked !== undefined && now - this.#asked.at < SHARED_MILLISECONDS) return this.#asked;
    const answer = this.#bus.waits().then((objects) => Map.groupBy(objects, ({ cluster }) => cluster));
    const asked = { at: now, answer };
    this.#asked = asked;
    answer.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    return asked;
  }
}
