import { randomUUID } from "node:crypto";
import type { Envelope } from "../../../events/index.ts";
import {
  connectionIn,
  elsewhereOnBus,
  homeOnBus,
  parseReference,
} from "../../../shared/kube/cluster-names.ts";
import { AwaitedObjects, type AwaitedPosition } from "../awaited/awaited.ts";
import { StreamPlaces } from "../awaited/places.ts";
import type { AwaitedObject, KeepsWaits } from "../awaited/waits.ts";
import { isYoung, WaitsQuestion } from "../awaited/waits-question.ts";
import { connectionEvent } from "./connection-event.ts";
import { AwaitedConnections, type ConnectionsParts } from "./connections.ts";
import { WaitsHub } from "./waits-hub.ts";

export interface ElsewhereParts extends Omit<ConnectionsParts, "tell"> {
  /** The home, as keys name it. */
  readonly home: string;
  readonly bus: KeepsWaits;
  readonly publish: (events: Envelope[]) => Promise<void>;
  readonly random: () => number;
  readonly identity: string;
  /** The most streams into other clusters that are open at once. Default 1,000. */
  readonly mostStreams?: number | undefined;
}

const MOST_STREAMS = 1_000;

interface Followed {
  readonly objects: AwaitedObjects;
  readonly release: () => void;
  /** The time at which somebody was first told to wait there. */
  readonly since: number;
}

/**
 * Follows what keys wait for in other clusters: objects there, each as long as somebody waits for it, and the connections themselves. A
 * cluster of which nobody waits for anything is left alone.
 */
export class AwaitedElsewhere {
  readonly #parts: ElsewhereParts;
  readonly #hub: WaitsHub;
  readonly #connections: AwaitedConnections;
  readonly #places: StreamPlaces;
  /** The clusters that are followed, by their names on the bus. */
  readonly #followed = new Map<string, Followed>();
  readonly #question: WaitsQuestion;
  readonly #unsubscribe: () => void;
  #telling = 0;
  #isStopped = false;

  constructor(parts: ElsewhereParts) {
    this.#parts = parts;
    const { bus, clock, home } = parts;
    this.#places = new StreamPlaces({ clock, most: parts.mostStreams ?? MOST_STREAMS });
    this.#hub = new WaitsHub(bus, clock);
    this.#connections = new AwaitedConnections({
      ...parts,
      tell: (reference, standing, tells) =>
        void this.#publish(
          connectionEvent({ home, reference, standing, tells, now: clock.now(), id: randomUUID() }),
        ),
    });
    this.#question = new WaitsQuestion({
      ...parts,
      failure: "what keys wait for elsewhere could not be asked",
      isNeeded: () => this.#followed.size + this.#connections.size > 0,
      take: (objects) => this.#keep(objects),
    });
    this.#unsubscribe = bus.subscribe({
      waits: (objects) => {
        if (objects !== undefined) this.#await(objects);
        this.#hub.tell(objects);
        if (objects === undefined) this.#question.now();
        this.#question.later();
      },
    });
    this.#question.now();
  }

  /** The objects that are followed in other clusters, by cluster. */
  position(): {
    readonly connections: number;
    /** The streams into all of them. */
    readonly streams: StreamPlaces["count"];
    readonly pending: number;
    readonly clusters: readonly (AwaitedPosition & { readonly cluster: string })[];
  } {
    const clusters = [...this.#followed].map(([cluster, { objects }]) => ({
      cluster: elsewhereOnBus(cluster)?.slice(1) ?? cluster,
      ...objects.position(),
    }));
    return {
      connections: this.#connections.size,
      streams: this.#places.count,
      pending:
        this.#telling +
        (this.#question.isOpen ? 1 : 0) +
        // What is asked of a cluster that is away may be asked for days.
        clusters
          .filter(({ cluster }) => this.#isThere(cluster))
          .reduce((sum, { pending }) => sum + pending, 0),
      clusters,
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    // Each stream that ends would let another begin.
    this.#places.close();
    this.#unsubscribe();
    this.#question.stop();
    await Promise.all([this.#connections.stop(), ...[...this.#followed.keys()].map((one) => this.#end(one))]);
  }

  #isThere(name: string): boolean {
    const { id, cluster } = parseReference(`@${name}`) ?? { id: "", cluster: "" };
    const clusters = this.#parts.clusters().get(id);
    return clusters !== undefined && this.#parts.others.at(clusters, cluster).standing.state === "reachable";
  }

  /** The objects of this home's other clusters. */
  #ours(objects: readonly AwaitedObject[]): readonly AwaitedObject[] {
    return objects.filter(({ cluster }) => homeOnBus(cluster) === this.#parts.home);
  }

  #await(objects: readonly AwaitedObject[]): void {
    const ours = this.#ours(objects);
    for (const { cluster } of ours) this.#follow(cluster);
    this.#connections.await(ours.filter(({ cluster }) => elsewhereOnBus(cluster) === undefined));
  }

  #follow(cluster: string): void {
    const reference = elsewhereOnBus(cluster);
    if (reference === undefined || this.#isStopped || this.#followed.has(cluster)) return;
    const { id, cluster: name } = parseReference(reference) ?? { id: "", cluster: "" };
    const { others, clusters, publish, clock, log, random, identity } = this.#parts;
    const declared = clusters().get(id);
    if (declared === undefined) return;
    const release = others.hold(declared, name);
    const objects = new AwaitedObjects({
      client: others.at(declared, name).client,
      clock,
      log: log.child({ cluster: reference }),
      cluster,
      bus: this.#hub.of(cluster),
      publish,
      isCovered: () => false,
      namespaces: undefined,
      places: this.#places,
      era: () => 0,
      random,
      identity: `${identity} ${reference}`,
    });
    this.#followed.set(cluster, { objects, release, since: clock.now() });
  }

  async #end(cluster: string): Promise<void> {
    const followed = this.#followed.get(cluster);
    this.#followed.delete(cluster);
    followed?.release();
    await followed?.objects.stop();
  }

  /** Follows what is waited for, and ends what nobody waits for any more. */
  #keep(objects: readonly AwaitedObject[]): void {
    const ours = this.#ours(objects);
    const named = new Set(ours.map(({ cluster }) => cluster));
    this.#connections.keep(
      ours.filter((one) => elsewhereOnBus(one.cluster) === undefined && connectionIn(one)),
    );
    const begun = ours.filter(({ cluster }) => !this.#followed.has(cluster));
    for (const cluster of named) this.#follow(cluster);
    // Their own questions may be answered from before.
    this.#hub.tell(begun);
    for (const [cluster, { objects: of, since }] of [...this.#followed])
      if (!named.has(cluster) && !isYoung(since, this.#parts.clock) && of.position().streams.length === 0)
        void this.#end(cluster);
  }

  async #publish(event: Envelope): Promise<void> {
    this.#telling += 1;
    try {
      await this.#parts.publish([event]);
    } catch (error) {
      this.#parts.log.warn(
        { error, subject: event.subject },
        "the state of a connection could not be published",
      );
    } finally {
      this.#telling -= 1;
    }
  }
}
