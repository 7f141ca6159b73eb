import { type Clock, systemClock } from "../../clock/clock.ts";
import { type Log, silent } from "../../log/log.ts";
import type { KubeClient } from "../client.ts";
import {
  type ClusterReference,
  type ClustersStatics,
  type ConnectionWord,
  referenceOf,
} from "../cluster-names.ts";
import { AnswerTimes } from "./answer-times.ts";
import type { Standing } from "./cluster-secret.ts";
import { OtherCluster } from "./other-cluster.ts";

/** A cluster that nobody used for so long is let go. */
const IDLE_MILLISECONDS = 10 * 60_000;
/** The pause between two looks through all clusters: there may be thousands. */
const LOOK_MILLISECONDS = 15_000;

export interface OtherClustersParts {
  /** Reads the Secrets. */
  readonly home: KubeClient;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** A number from 0 up to 1, for the jitter. */
  readonly random?: (() => number) | undefined;
  /** True where kubeconfigs may name a proxy. Default: false. */
  readonly allowProxy?: boolean | undefined;
  /** The milliseconds for which a probe waits for an answer, where all clusters answer quickly. Default: 3,000. */
  readonly patience?: number | undefined;
  /** The ids of clusters that the configuration takes for the home itself. Default: none. */
  readonly atHome?: ReadonlySet<string> | undefined;
}

/** A cluster as who uses it sees it. */
export type UsedCluster = Pick<
  OtherCluster,
  "reference" | "client" | "standing" | "isSlow" | "look" | "heard" | "probe" | "rest"
>;

interface Member {
  readonly cluster: OtherCluster;
  usedAt: number;
  holders: number;
}

/** The other clusters of a process, each opened when it is first used, and let go when nobody uses it any more. */
export class OtherClusters {
  readonly #parts: OtherClustersParts;
  readonly #clock: Clock;
  readonly #times: AnswerTimes;
  readonly #members = new Map<ClusterReference, Member>();
  readonly #listeners = new Set<(reference: ClusterReference, standing: Standing) => void>();

  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: OtherClustersParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#times = new AnswerTimes(this.#clock);
  }

  /** One of these clusters. Throws a `ClusterNameError`. */
  at(clusters: ClustersStatics, cluster: string): UsedCluster {
    const reference = referenceOf(clusters, cluster);
    if (this.#parts.atHome?.has(clusters.id) === true) return this.#home(reference);
    return this.#member(reference, clusters, cluster).cluster;
  }

  /** Keeps a cluster and its probes until the answer is called, whoever uses it. */
  hold(clusters: ClustersStatics, cluster: string): () => void {
    const reference = referenceOf(clusters, cluster);
    if (this.#parts.atHome?.has(clusters.id) === true) return () => undefined;
    const member = this.#member(reference, clusters, cluster);
    member.holders += 1;
    let isHeld = true;
    return () => {
      if (isHeld) member.holders -= 1;
      isHeld = false;
    };
  }

  /** Takes note of what somebody else found at that time, in milliseconds since the epoch. */
  heard(reference: ClusterReference, word: ConnectionWord, at: number): void {
    this.#members.get(reference)?.cluster.heard(word, at);
  }

  /** A limit for one of them, in milliseconds: longer where all are slow to answer. */
  limit(milliseconds: number): number {
    return this.#times.limit(milliseconds);
  }

  /** The clusters in use. */
  get all(): readonly { readonly reference: ClusterReference; readonly standing: Standing }[] {
    return [...this.#members.values()].map(({ cluster }) => cluster);
  }

  /** Calls the listener whenever a cluster went away or came back. */
  subscribe(listener: (reference: ClusterReference, standing: Standing) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#listeners.clear();
    for (const { cluster } of this.#members.values()) cluster.close();
    this.#members.clear();
  }

  #home(reference: ClusterReference): UsedCluster {
    const standing: Standing = { state: "reachable", reason: "" };
    return {
      reference,
      client: this.#parts.home,
      standing,
      isSlow: false,
      look: async () => standing,
      heard: () => undefined,
      rest: () => undefined,
      probe: async () => standing,
    };
  }

  #member(reference: ClusterReference, clusters: ClustersStatics, cluster: string): Member {
    const now = this.#clock.now();
    const { home, log = silent, random = Math.random, allowProxy = false, patience } = this.#parts;
    const known = this.#members.get(reference);
    const member = known ?? {
      cluster: new OtherCluster({
        reference,
        clusters,
        cluster,
        home,
        clock: this.#clock,
        log,
        random,
        allowProxy,
        patience,
        times: this.#times,
        changed: (one) => {
          for (const listener of this.#listeners) listener(reference, one.standing);
        },
      }),
      usedAt: now,
      holders: 0,
    };
    member.usedAt = now;
    this.#members.set(reference, member);
    this.#lookLater();
    return member;
  }

  #lookLater(): void {
    if (this.#isClosed || this.#members.size === 0) return;
    this.#cancel ??= this.#clock.after(LOOK_MILLISECONDS, () => {
      this.#cancel = undefined;
      this.#letGo(this.#clock.now());
      this.#lookLater();
    });
  }

  /** Lets go whom nobody used for long; whoever is held, or was used of late, keeps nothing open that it does not need. */
  #letGo(now: number): void {
    for (const [reference, { cluster, usedAt, holders }] of this.#members) {
      if (now - usedAt < IDLE_MILLISECONDS || holders > 0 || !cluster.isIdle) {
        cluster.rest();
        continue;
      }
      cluster.close();
      this.#members.delete(reference);
    }
  }
}
