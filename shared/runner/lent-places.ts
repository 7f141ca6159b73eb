import type { Clock } from "../clock/clock.ts";
import { ClusterSlowError, guardedClient } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { referenceOf } from "../kube/cluster-names.ts";
import type { Others } from "./clients.ts";

/** A run that waits so long for one of other clusters lends its place, in milliseconds, where all clusters answer quickly. */
const SLOW_MILLISECONDS = 250;

/**
 * The runs of a host that wait for one of other clusters, which may hang until its probe says so. Meanwhile others run in their places, so
 * that many clusters that hang at once hold up no key of the rest.
 */
export class LentPlaces {
  readonly #clock: Clock;
  readonly #home: KubeClient;
  readonly #listeners = new Set<(places: number) => void>();
  #places = 0;

  constructor(clock: Clock, home: KubeClient) {
    this.#clock = clock;
    this.#home = home;
  }

  /** Calls the listener with the number of places that are lent, whenever it changes. */
  subscribe(listener: (places: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The other clusters as one run uses them: it has one place, however many answers it waits for. */
  forRun(others: Others): Others {
    let slow = 0;
    const awaited = async <T>(answer: Promise<T>): Promise<T> => {
      let isSlow = false;
      const cancel = this.#clock.after(others.limit(SLOW_MILLISECONDS), () => {
        isSlow = true;
        slow += 1;
        if (slow === 1) this.#change(1);
      });
      try {
        return await answer;
      } finally {
        cancel();
        if (isSlow) {
          slow -= 1;
          if (slow === 0) this.#change(-1);
        }
      }
    };
    return {
      at: (clusters, cluster) => {
        const used = others.at(clusters, cluster);
        // All runs wait for the same server where it is the home.
        return used.client === this.#home
          ? used
          : {
              client: clientThrough(used.client, awaited),
              isSlow: used.isSlow,
              // One run that hangs there is enough until it is known whether the cluster does.
              look: async () => {
                if (used.isSlow) throw new ClusterSlowError(referenceOf(clusters, cluster));
                return awaited(used.look());
              },
            };
      },
      heard: (...news) => others.heard(...news),
      limit: (milliseconds) => others.limit(milliseconds),
    };
  }

  #change(by: 1 | -1): void {
    this.#places += by;
    for (const listener of this.#listeners) listener(this.#places);
  }
}

/** A client each of whose requests but watches is waited for so. */
const clientThrough = (client: KubeClient, awaited: <T>(answer: Promise<T>) => Promise<T>): KubeClient =>
  guardedClient({
    send: (signal = new AbortController().signal, request, isWatch) =>
      isWatch ? request(client, signal) : awaited(request(client, signal)),
    requests: () => client.requests,
    answers: () => client.answers ?? {},
  });
