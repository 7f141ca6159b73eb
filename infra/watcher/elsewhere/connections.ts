import type { Clock } from "../../../shared/clock/clock.ts";
import { messageOf } from "../../../shared/errors.ts";
import { SECRETS, secretPlace } from "../../../shared/kube/client/cluster-secret.ts";
import type { OtherClusters, Standing } from "../../../shared/kube/client/index.ts";
import { Reflector } from "../../../shared/kube/client/reflector.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import {
  ClusterNameError,
  type ClusterReference,
  type ClustersStatics,
  type ConnectionNews,
  connectionIn,
  type FoundState,
  foundIn,
  parseReference,
  referenceOf,
} from "../../../shared/kube/cluster-names.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { Semaphore } from "../../../shared/kube/http/semaphore.ts";
import type { Log } from "../../../shared/log/log.ts";
import { AwaitedStream, LOOK_MILLISECONDS, type StreamScope } from "../awaited/stream.ts";
import { type AwaitedEntry, Streams } from "../awaited/streams.ts";
import type { AwaitedObject } from "../awaited/waits.ts";
import { isYoung } from "../awaited/waits-question.ts";

/** The clusters that are looked at at once: after a start all of thousands are, and each takes a handshake. */
const LOOKS = 128;

interface Held {
  readonly clusters: ClustersStatics;
  readonly cluster: string;
  readonly release: () => void;
  /** Looks at it again after a failure. */
  cancelLook?: (() => void) | undefined;
  /** Its Secret, where its name is known. */
  readonly secret: AwaitedEntry | undefined;
  /** The time at which somebody began to wait. */
  readonly since: number;
  /** The states in which those found it who are known to wait. */
  known: ReadonlySet<Found>;
}

/** The state in which somebody found a cluster, or one that is not known. */
type Found = FoundState | "anyhow";
/** The cause of a look: whoever begins to wait and found the cluster so, or in a state that is not known, or news of its Secret. */
type LookFor = Found | "news";

/** A reason as far as it is news: a probe waits for longer where all clusters are slow, and says for how long. */
const withoutTimes = (reason: string): string => reason.replaceAll(/\d[\d.]*/g, "");

export interface ConnectionsParts {
  /** The home's client. */
  readonly client: KubeClient;
  readonly others: Pick<OtherClusters, "at" | "hold">;
  /** The other clusters that functions declare, by id. */
  readonly clusters: () => ReadonlyMap<string, ClustersStatics>;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells the state of a connection those who wait for it, or for its loss. */
  readonly tell: (reference: ClusterReference, standing: Standing, tells: ConnectionNews) => void;
}

/**
 * The connections to other clusters that somebody waits for: each is probed until it is there, also where the process that found it away
 * has died, and looked at as soon as its Secret changes. Who begins to wait is told once what is so, where that is not what it found.
 */
export class AwaitedConnections {
  readonly #parts: ConnectionsParts;
  readonly #held = new Map<ClusterReference, Held>();
  /** The Secrets with the label of their clusters, by the clusters' id. */
  readonly #secrets = new Map<string, Reflector<string | undefined>>();
  /** The Secrets whose names are known, each as long as it is waited for. */
  readonly #named: Streams;
  readonly #looks = new Semaphore(LOOKS);
  #isStopped = false;

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
    this.#named = new Streams({
      clock: parts.clock,
      namespaces: undefined,
      open: (scope, { listed }) => this.#open(scope, listed),
    });
  }

  get size(): number {
    return this.#held.size;
  }

  /** Somebody waits for these from now on. */
  await(objects: readonly AwaitedObject[]): void {
    for (const object of objects) {
      const reference = connectionIn(object);
      if (reference === undefined) continue;
      const found = foundIn(object) ?? "anyhow";
      this.#begin(reference, found);
      const held = this.#held.get(reference);
      if (held !== undefined) held.known = new Set([...held.known, found]);
    }
  }

  /** These are all that somebody waits for. One that was not told of is looked at as if it had been. */
  keep(objects: readonly AwaitedObject[]): void {
    const still = new Map<ClusterReference, Set<Found>>();
    for (const object of objects) {
      const reference = connectionIn(object);
      if (reference === undefined) continue;
      const found = still.get(reference) ?? new Set();
      still.set(reference, found.add(foundIn(object) ?? "anyhow"));
    }
    for (const [reference, { since }] of this.#held)
      if (!still.has(reference) && !isYoung(since, this.#parts.clock)) this.#letGo(reference);
    for (const [reference, all] of still) {
      const known = this.#held.get(reference)?.known;
      for (const found of all) if (known?.has(found) !== true) this.#begin(reference, found);
      const held = this.#held.get(reference);
      if (held !== undefined) held.known = all;
    }
    for (const id of this.#secrets.keys())
      if (![...this.#held.values()].some(({ clusters }) => clusters.id === id)) this.#unfollow(id);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const reference of [...this.#held.keys()]) this.#letGo(reference);
    await Promise.all([
      this.#named.stop(),
      ...[...this.#secrets.values()].map((reflector) => reflector.stop()),
    ]);
    this.#secrets.clear();
  }

  /**
   * Looks at a cluster for who begins to wait. Whoever found it as it is known here has nothing to hear: to tell it would wake all who
   * wait like it, and its next change is told anyway.
   */
  #begin(reference: ClusterReference, found: Found): void {
    const held = this.#held.get(reference);
    if (held !== undefined && this.#standingOf(held).state === found) return;
    if (this.#hold(reference)) void this.#look(reference, found);
  }

  /** False for a cluster that nobody here declares. */
  #hold(reference: ClusterReference): boolean {
    if (this.#isStopped) return false;
    if (this.#held.has(reference)) return true;
    const { id, cluster } = parseReference(reference) ?? { id: "", cluster: "" };
    const clusters = this.#parts.clusters().get(id);
    if (clusters === undefined) return false;
    const release = this.#parts.others.hold(clusters, cluster);
    const secret = this.#entryOf(clusters, cluster);
    const since = this.#parts.clock.now();
    this.#held.set(reference, { clusters, cluster, release, secret, since, known: new Set() });
    this.#follow(clusters);
    if (secret !== undefined) this.#named.follow(secret, SECRETS);
    return true;
  }

  #letGo(reference: ClusterReference): void {
    const held = this.#held.get(reference);
    held?.release();
    held?.cancelLook?.();
    if (held?.secret !== undefined) this.#named.leave(held.secret);
    this.#held.delete(reference);
  }

  /** Asks a cluster anew. Who subscribes to the clusters tells changes. */
  async #look(reference: ClusterReference, lookFor: LookFor): Promise<void> {
    await this.#looks.take();
    try {
      await this.#lookNow(reference, lookFor);
    } finally {
      this.#looks.give();
    }
  }

  async #lookNow(reference: ClusterReference, lookFor: LookFor): Promise<void> {
    const held = this.#held.get(reference);
    if (held === undefined) return;
    const { others, log, tell } = this.#parts;
    try {
      const used = others.at(held.clusters, held.cluster);
      const { state: before, reason: said } = used.standing;
      // A state that is known may be as old as a request, of a time when nobody followed the Secret, or a probe that failed: it must neither
      // confirm nor contradict what somebody just met.
      const standing = await used.probe();
      // It may be long until anybody asks it anything.
      used.rest();
      if (this.#held.get(reference) !== held) return;
      const { state } = standing;
      const found = lookFor === "news" ? before : lookFor;
      // Whoever mends a Secret by parts is to read what is still wrong with it.
      const isOtherwise = withoutTimes(standing.reason) !== withoutTimes(said);
      const isToldAnew = lookFor === "news" && state !== "reachable" && isOtherwise;
      if (state === found && !isToldAnew) return;
      // Who subscribes to the clusters tells that one went away, or came back.
      const wasThere = before === "reachable";
      if (state === "reachable" ? !wasThere : wasThere && found === "reachable") return;
      tell(reference, standing, found === "reachable" ? "loss" : "connection");
    } catch (thrown) {
      log.warn({ cluster: reference, error: messageOf(thrown) }, "a cluster could not be looked at");
      this.#lookLater(reference, held);
    }
  }

  #lookLater(reference: ClusterReference, held: Held): void {
    if ("label" in held.clusters.secret) return;
    held.cancelLook?.();
    held.cancelLook = this.#parts.clock.after(LOOK_MILLISECONDS, () => void this.#look(reference, "news"));
  }

  #entryOf({ secret }: ClustersStatics, cluster: string): AwaitedEntry | undefined {
    const place = secretPlace(secret, cluster);
    if (place === undefined) return undefined;
    return { object: { cluster: "", group: "", kind: "Secret", ...place }, since: this.#parts.clock.now() };
  }

  /** Secrets that are found by their names may lie in any namespace. Where they may not be followed they are looked at every 30 s. */
  #open(scope: StreamScope, listed: () => void): AwaitedStream {
    const { client, clock, log } = this.#parts;
    const look = (concerns: (place: AwaitedObject, held: Held) => boolean): void => {
      const entries = new Set(this.#named.entriesOf(stream));
      for (const [reference, held] of this.#held)
        if (held.secret !== undefined && entries.has(held.secret) && concerns(held.secret.object, held))
          void this.#look(reference, "news");
    };
    const stream: AwaitedStream = new AwaitedStream(scope, {
      client,
      clock,
      log,
      changed: ({ namespace, name }) => {
        look((place) => place.namespace === namespace && place.name === name);
        return true;
      },
      listed: () => {
        listed();
        // Who began to wait looked a moment before.
        look(
          ({ namespace, name }, held) =>
            stream.seen({ namespace, name }) !== undefined && this.#standingOf(held).state === "no secret",
        );
      },
      forbidden: () => look(() => true),
      vanished: () => undefined,
    });
    return stream;
  }

  #follow(clusters: ClustersStatics): void {
    const { secret, id } = clusters;
    if (!("label" in secret) || this.#secrets.has(id)) return;
    const { client, clock, log } = this.#parts;
    const changed = (cluster: string | undefined): void => {
      const reference = cluster === undefined ? undefined : referenceIn(clusters, cluster);
      if (reference !== undefined) void this.#look(reference, "news");
    };
    const reflector = new Reflector<string | undefined>({
      client,
      resource: SECRETS,
      clock,
      log,
      metadataOnly: true,
      namespace: secret.namespace,
      labelSelector: secret.label,
      keep: ({ metadata }) => metadata.labels?.[secret.label],
      changed: (now, before, listed) => {
        // Those that were there are looked at by who begins to wait.
        if (listed && before === undefined && this.#secrets.get(id) !== reflector) return;
        changed(now);
        if (before !== undefined && before !== now) changed(before);
      },
      deleted: changed,
      failed: (error) => {
        if (!(error instanceof KubeError) || error.kind !== "forbidden") return undefined;
        log.warn(
          { clusters: id, namespace: secret.namespace, err: error },
          "Secrets of clusters may not be followed: they are looked at every 30 s. Grant list and watch (`reveille rbac`)",
        );
        for (const [reference, held] of this.#held)
          if (held.clusters.id === id) void this.#look(reference, "news");
        return LOOK_MILLISECONDS;
      },
    });
    this.#secrets.set(id, reflector);
  }

  #standingOf({ clusters, cluster }: Held): Standing {
    return this.#parts.others.at(clusters, cluster).standing;
  }

  #unfollow(id: string): void {
    void this.#secrets.get(id)?.stop();
    this.#secrets.delete(id);
  }
}

/** Anybody may write a label that names no cluster. */
function referenceIn(clusters: ClustersStatics, cluster: string): ClusterReference | undefined {
  try {
    return referenceOf(clusters, cluster);
  } catch (thrown) {
    if (thrown instanceof ClusterNameError) return undefined;
    throw thrown;
  }
}
