import type { Clock } from "../../../shared/clock/clock.ts";
import type { AwaitedObject, KeepsWaits } from "../awaited/waits.ts";

/** An answer of the bus serves all who ask within this time: each costs a look at all waits. */
const SHARED_MILLISECONDS = 5_000;

/** The objects that are waited for in each cluster. */
type ByCluster = ReadonlyMap<string, readonly AwaitedObject[]>;
type Listener = Parameters<KeepsWaits["subscribe"]>[0]["waits"];

/** The waits of a bus by cluster, so that hundreds of clusters ask it no more often than one. */
export class WaitsHub {
  readonly #bus: KeepsWaits;
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Listener>();
  #asked:
    | {
        readonly at: number;
        readonly answer: Promise<ByCluster>;
        /** The clusters of which something was told since: it says nothing of them any more. */
        readonly former: Set<string>;
      }
    | undefined;

  constructor(bus: KeepsWaits, clock: Clock) {
    this.#bus = bus;
    this.#clock = clock;
  }

  /** The waits of one cluster, as who follows it asks for them. */
  of(cluster: string): KeepsWaits {
    return {
      waits: async () => (await this.#ask(cluster)).get(cluster) ?? [],
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
    for (const [cluster, of] of Map.groupBy(objects, ({ cluster }) => cluster)) {
      this.#asked?.former.add(cluster);
      this.#listeners.get(cluster)?.(of);
    }
  }

  #ask(cluster: string): Promise<ByCluster> {
    const now = this.#clock.now();
    const known = this.#asked;
    if (known !== undefined && now - known.at < SHARED_MILLISECONDS && !known.former.has(cluster))
      return known.answer;
    const answer = this.#bus.waits().then((objects) => Map.groupBy(objects, ({ cluster }) => cluster));
    const asked = { at: now, answer, former: new Set<string>() };
    this.#asked = asked;
    asked.answer.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    return asked.answer;
  }
}
