import type { Envelope } from "../../events/index.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { connectionIn } from "../../shared/kube/cluster-names.ts";
import { HOME_NAMESPACE } from "../../shared/kube/home.ts";
import { Semaphore } from "../../shared/kube/http/semaphore.ts";
import type { Log } from "../../shared/log/log.ts";
import type { WatchList } from "../../shared/runner/watch-list.ts";
import { AwaitedObjects, type AwaitedPosition } from "./awaited/awaited.ts";
import type { AwaitedObject, KeepsWaits } from "./awaited/waits.ts";
import type { Beside } from "./beside.ts";
import { type Counters, newCounters } from "./counters.ts";
import { type Limits, Room } from "./dirty-keys.ts";
import { Election, type LeaseOptions } from "./election.ts";
import { AwaitedElsewhere, type ElsewhereParts } from "./elsewhere/elsewhere.ts";
import { WatcherStoppedError } from "./errors.ts";
import { Follower, streamKey } from "./follower.ts";
import type { FollowerContext } from "./follower-context.ts";
import type { KeepsLines, KeptLine } from "./kept-lines.ts";
import type { KindState } from "./kind-state.ts";
import type { LeaseRecord } from "./lease.ts";
import { Ledger } from "./ledger.ts";
import type { Onlooker } from "./onlooker.ts";
import { PublishLoop } from "./publish-loop.ts";
import { entryOf } from "./sighting.ts";
import { type LeaderPositions, positionsOf, recordUpTo } from "./standby.ts";
import { defaultTiming, type Timing } from "./timing.ts";

export interface WatcherOptions {
  readonly client: KubeClient;
  /** `name` as `clusterName` gives it. */
  readonly cluster: { readonly name: string };
  readonly watchList: WatchList;
  /** `keptWith`: the bus that `publish` goes to. Where it remembers, the ledger's changes are durable with their events. */
  readonly ledger: { readonly file: string; readonly keptWith?: KeepsLines | undefined };
  /** Resolves when the events are durable, and the ledger's line with them. Rejects: they are tried again, all of them. */
  readonly publish: (events: Envelope[], line?: KeptLine) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this watcher in the Lease: different for each. */
  readonly identity: string;
  /** False: this watcher is the only one. Default: `reveille-watcher` in `reveille-system`. */
  readonly lease?: LeaseOptions | false | undefined;
  /** It publishes from now on. `before`: as the Lease said what its leader published for. */
  readonly onLead?: ((before: PublishedBefore) => void) | undefined;
  /** The bus as who keeps the waits: objects that keys wait for and that the list lacks are followed too. Absent: none is. */
  readonly waits?: KeepsWaits | undefined;
  /** The other clusters, and those that functions declare: what keys wait for there is followed too. Absent: none is. */
  readonly elsewhere?: Pick<ElsewhereParts, "others" | "clusters" | "mostStreams"> | undefined;
  /** The onlooker in this process that hears what passes, before it is published. */
  readonly onlooker?: Onlooker | undefined;
  /** The functions that run beside it, where nobody else may hear of what it sees: their echoes are left out. */
  readonly beside?: Beside | undefined;
  readonly timing?: Partial<Timing> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** A random number in [0, 1); default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** The knowledge about the watchers before this one. */
export interface PublishedBefore {
  /** The digest that the last leader published for (`publishesFor`); undefined where it did not say. */
  readonly for: string | undefined;
  /** Nobody published before: there was no Lease, and the ledger is a new one. */
  readonly nothing: boolean;
}

/** The position of one stream. */
export interface StreamPosition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly state: KindState;
  /** The version that was read last. */
  readonly resourceVersion: string | undefined;
  /** The version up to which everything is published. */
  readonly published: string | undefined;
  readonly restarts: number;
  readonly lists: number;
  readonly dirty: number;
}

/** The position of a watcher. */
export interface WatcherPosition {
  readonly cluster: string;
  readonly era: number;
  readonly leader: boolean;
  /** The holder of the Lease, and the number of times that it changed hands; undefined without a Lease. */
  readonly holder: string | undefined;
  readonly term: number | undefined;
  /** False while the bus or the ledger refuses. */
  readonly publishing: boolean;
  readonly dirty: number;
  readonly counters: Readonly<Counters>;
  readonly streams: readonly StreamPosition[];
  /** The objects that it follows because somebody waits for them; undefined where it does not lead. */
  readonly awaited?: AwaitedPosition | undefined;
  /** The same in other clusters. */
  readonly elsewhere?: ReturnType<AwaitedElsewhere["position"]> | undefined;
}

export interface Watcher {
  /** Every kind is followed, and what is seen can be published. */
  ready(): boolean;
  /** Resolves when all kinds have answered once and all that was found is published; rejects when the watcher is stopped. */
  settled(): Promise<void>;
  position(): WatcherPosition;
  /** Follows another list from now on. */
  update(watchList: WatchList): Promise<void>;
  /** Says in the Lease at once, for all watchers of the cluster, for what it has published; at most 32 KiB. Only of a leader. */
  publishesFor(text: string): void;
  /** Asks at once again for kinds that were absent or forbidden: somebody installed them. */
  retry(): void;
  /** Ends what is on its way, and releases the Lease. */
  stop(): Promise<void>;
}

/** Starts the watcher of one cluster. Throws a `LedgerError` where its ledger cannot be used. */
export function startWatcher(options: WatcherOptions): Watcher {
  return new RunningWatcher(options);
}

/** For so long a batch that is on its way may hold up the end. */
const STOP_MILLISECONDS = 5000;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

class RunningWatcher implements Watcher {
  readonly #options: WatcherOptions;
  readonly #ledger: Ledger;
  readonly #counters = newCounters();
  readonly #room: Room;
  readonly #context: FollowerContext;
  readonly #loop: PublishLoop;
  readonly #election: Election | undefined;
  #followers: Follower[] = [];
  #awaited: AwaitedObjects | undefined;
  #elsewhere: AwaitedElsewhere | undefined;
  #watchList: WatchList;
  #isFollowing = false;
  #isStopped = false;
  #isRebuilding: boolean;
  #leaderPositions: LeaderPositions | undefined;
  #refusedEra: string | undefined;
  #waiting: Waiting[] = [];

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#watchList = options.watchList;
    const { client, clock, log, cluster, random = Math.random } = options;
    const timing = { ...defaultTiming, ...options.timing };
    this.#ledger = new Ledger(options.ledger.file, cluster.name, {
      clock,
      log,
      keptWith: options.ledger.keptWith,
    });
    this.#isRebuilding = this.#ledger.isRebuilt;
    this.#room = new Room({
      dirty: 10_000,
      compared: 1000,
      bytes: 32 * 1024 * 1024,
      ...options.limits,
    });
    const shared = { client, clock, log, random, timing, ledger: this.#ledger, counters: this.#counters };
    this.#context = {
      ...shared,
      cluster: cluster.name,
      room: this.#room,
      opening: new Semaphore(4),
      listing: new Semaphore(2),
      serverWentBack: (era) => this.#beginEra(era + 1),
      work: () => this.#work(),
      onlooker: options.onlooker,
      beside: options.beside,
      leads: () => this.#leads,
    };
    this.#loop = new PublishLoop({
      ...shared,
      followers: () => this.#followers,
      leads: () => this.#leads,
      publish: options.publish,
      onDrained: () => this.#settle(),
    });
    this.#setFollowers(options.watchList);
    this.#ledger.keepOnly(new Set(this.#followers.map(({ key }) => key)));
    this.#loop.start();
    if (options.lease === false) this.#follow();
    else {
      const { identity } = options;
      this.#election = new Election(
        {
          client,
          clock,
          log,
          identity,
          positions: () => positionsOf(this.#followers, this.#ledger),
          onLease: (lease) => this.#learn(lease),
          onChange: () => this.#follow(),
          onWon: (found) =>
            options.onLead?.({
              for: found?.publishedFor,
              nothing: found === undefined && this.#ledger.origin === "new",
            }),
        },
        options.lease ?? { namespace: HOME_NAMESPACE, name: "reveille-watcher" },
      );
      this.#election.start();
    }
  }

  ready(): boolean {
    return (
      this.#isFollowing &&
      !this.#isStopped &&
      this.#loop.isHealthy &&
      !this.#room.isFull &&
      this.#followers.every((follower) => follower.isWell || follower.state.name === "absent")
    );
  }

  settled(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#settle();
    });
  }

  position(): WatcherPosition {
    const awaited = this.#awaited?.position();
    const elsewhere = this.#elsewhere?.position();
    return {
      cluster: this.#options.cluster.name,
      era: this.#ledger.era,
      leader: this.#leads,
      holder: this.#election?.holder,
      term: this.#election?.term,
      publishing: this.#loop.isHealthy,
      dirty: this.#room.dirty + (awaited?.pending ?? 0) + (elsewhere?.pending ?? 0),
      counters: { ...this.#counters },
      streams: this.#followers.map((follower) => ({
        group: follower.watched.group,
        version: follower.watched.version,
        kind: follower.watched.kind,
        namespace: follower.namespace,
        state: follower.state,
        resourceVersion: follower.read,
        published: this.#ledger.position(follower.publisher.stream)?.resourceVersion,
        restarts: follower.restarts,
        lists: follower.lists,
        dirty: follower.dirty.size,
      })),
      awaited,
      elsewhere,
    };
  }

  async update(watchList: WatchList): Promise<void> {
    this.#watchList = watchList;
    const old = this.#followers;
    this.#setFollowers(watchList);
    const stopped = old.filter((follower) => !this.#followers.includes(follower));
    await Promise.all(stopped.map((follower) => follower.stop()));
    this.#ledger.keepOnly(new Set(this.#followers.map(({ key }) => key)));
    if (this.#isFollowing) for (const follower of this.#followers) follower.start();
    this.#awaited?.recheck();
    this.#work();
  }

  publishesFor(text: string): void {
    this.#election?.publishesFor(text);
  }

  retry(): void {
    for (const follower of this.#followers) follower.retry();
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    // First the loop: what a stopped follower forgets must not look published. A bus that never answers is left alone.
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(STOP_MILLISECONDS, resolve);
      this.#loop.stop().then(() => {
        cancel();
        resolve();
      });
    });
    await Promise.all([
      this.#awaited?.stop(),
      this.#elsewhere?.stop(),
      ...this.#followers.map((follower) => follower.stop()),
    ]);
    await this.#election?.stop();
    this.#ledger.close();
    for (const { reject } of this.#waiting.splice(0)) reject(new WatcherStoppedError());
  }

  get #leads(): boolean {
    return this.#election === undefined || this.#election.leads;
  }

  /** One follower a kind, or one a kind and namespace; those whose entry stays the same stay. */
  #setFollowers({ kinds, namespaces }: WatchList): void {
    const known = new Map(this.#followers.map((follower) => [follower.key, follower]));
    this.#followers = kinds.flatMap((watched) =>
      (watched.scope === "Namespaced" && namespaces !== undefined ? namespaces : [undefined]).map(
        (namespace) => {
          const before = known.get(streamKey(watched, namespace));
          return before?.publisher.entry === entryOf(watched)
            ? before
            : new Follower(this.#context, watched, namespace);
        },
      ),
    );
  }

  #follow(): void {
    if (!this.#isFollowing && !this.#isStopped) {
      this.#isFollowing = true;
      for (const follower of this.#followers) follower.start();
    }
    this.#work();
  }

  /** Learns from the Lease: the era, and how far the leader is. */
  #learn(lease: LeaseRecord): void {
    if (this.#ledger.origin === "new" && !this.#isFollowing && !this.#isRebuilding) {
      this.#ledger.beginRebuild();
      this.#isRebuilding = true;
    }
    if (lease.refusedEra !== undefined && lease.refusedEra !== this.#refusedEra)
      this.#options.log.warn(
        { era: lease.refusedEra.slice(0, 64) },
        "The Lease names an era that no watcher wrote there: it is not believed. See who may write this Lease",
      );
    this.#refusedEra = lease.refusedEra;
    if (lease.era > this.#ledger.era) this.#beginEra(lease.era);
    this.#leaderPositions = lease.holder === this.#options.identity ? undefined : lease.positions;
    this.#record();
  }

  #record(): void {
    if (this.#leaderPositions === undefined || this.#leads) return;
    try {
      recordUpTo(this.#leaderPositions, this.#followers, this.#ledger);
    } catch (error) {
      // The keys stay dirty: after a take-over they are published once more.
      this.#options.log.error({ error }, "What the leader published cannot be recorded");
    }
    this.#settle();
  }

  /** Several streams find out at once that the server went back; the first one begins the era. */
  #beginEra(era: number): void {
    if (era <= this.#ledger.era) return;
    this.#ledger.beginEra(era);
    this.#options.onlooker?.forgetAll();
    this.#options.beside?.own.forgetAll();
    for (const follower of this.#followers) {
      follower.forgetPosition();
      follower.relist("era");
    }
  }

  /** Only who leads follows what is waited for: it keeps no ledger, so that there is nothing to be warm for. */
  #followAwaited(): void {
    const { waits, client, clock, cluster, publish, random = Math.random, log, elsewhere } = this.#options;
    if (waits === undefined || this.#isStopped || this.#leads === (this.#awaited !== undefined)) return;
    if (!this.#leads) {
      void this.#awaited?.stop();
      void this.#elsewhere?.stop();
      this.#awaited = undefined;
      this.#elsewhere = undefined;
      return;
    }
    const identity = `${this.#options.identity} ${clock.now()} ${random()}`;
    const shared = { client, clock, log, bus: waits, publish, random, identity };
    if (elsewhere !== undefined)
      this.#elsewhere = new AwaitedElsewhere({ ...shared, ...elsewhere, home: cluster.name });
    this.#awaited = new AwaitedObjects({
      ...shared,
      cluster: cluster.name,
      isCovered: (object) => this.#covers(object),
      namespaces: this.#watchList.namespaces,
      era: () => this.#ledger.era,
    });
  }

  #covers(object: AwaitedObject): boolean {
    // No server holds it: who follows other clusters tells of it.
    if (connectionIn(object) !== undefined) return true;
    const { group, kind, namespace } = object;
    const { kinds, namespaces } = this.#watchList;
    const isServed = namespace === undefined || namespaces === undefined || namespaces.includes(namespace);
    return (
      isServed &&
      kinds.some((one) => one.group === group && one.kind === kind && one.labelSelector === undefined)
    );
  }

  #work(): void {
    this.#followAwaited();
    this.#loop.work();
    this.#settle();
  }

  #settle(): void {
    if (this.#waiting.length === 0 && !this.#isRebuilding) return;
    if (!this.#isFollowing || this.#room.dirty > 0 || this.#loop.isBusy) return;
    if (!this.#followers.every((follower) => follower.hasAnswered)) return;
    if (this.#isRebuilding) this.#ledger.endRebuild();
    this.#isRebuilding = false;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }
}
