import type { Envelope } from "../../../events/index.ts";
import type { Clock } from "../../../shared/clock/clock.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import type { Log } from "../../../shared/log/log.ts";
import { isCustom } from "../kind-presence.ts";
import { Arrivals } from "./arrivals.ts";
import { Outbox, type Seen, type Told } from "./outbox.ts";
import type { StreamPlaces } from "./places.ts";
import { AwaitedStream, type StreamScope, type StreamState } from "./stream.ts";
import { type AwaitedEntry, Streams } from "./streams.ts";
import { type AwaitedObject, awaitedName, type KeepsWaits } from "./waits.ts";
import { AGAIN_MILLISECONDS, isYoung, WaitsQuestion } from "./waits-question.ts";

export interface AwaitedParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: string;
  readonly bus: KeepsWaits;
  readonly publish: (events: Envelope[]) => Promise<void>;
  /** True for an object whose changes the watch list tells anyway. */
  readonly isCovered: (object: AwaitedObject) => boolean;
  readonly namespaces: readonly string[] | undefined;
  /** The places of the streams into this cluster and others. Absent: there is one for each. */
  readonly places?: StreamPlaces | undefined;
  readonly era: () => number;
  readonly random: () => number;
  readonly identity: string;
  /** Default 500. */
  readonly mostStreams?: number | undefined;
}

/** The objects that are followed beyond the watch list. */
export interface AwaitedPosition {
  readonly objects: number;
  /** Objects of which it is not known yet what is so, or not published. */
  readonly pending: number;
  readonly streams: readonly {
    readonly group: string;
    readonly kind: string;
    readonly namespace: string | undefined;
    readonly name: string | undefined;
    /** `forbidden`: the right is missing; who waits is told to look every 30 s. */
    readonly state: StreamState;
  }[];
  /** Kinds that the server does not know; `looks`: it is asked for them every 30 s, since nothing tells of their arrival. */
  readonly absent: readonly { readonly group: string; readonly kind: string; readonly looks: boolean }[];
}

/** Its kind, its first list or its next watch is still asked for. */
const isUnsettled = ({ stream, told }: AwaitedEntry): boolean =>
  stream === undefined
    ? told === undefined
    : (stream.state === "queued" && told === undefined) ||
      stream.state === "listing" ||
      (stream.isComplete && !stream.isFollowing);

/** True for an object of a kind that a definition brings, which is followed and not there. */
const isMissing = ({ object, stream, told }: AwaitedEntry): boolean =>
  stream !== undefined && told === GONE && isCustom(object);

const GONE = "gone";
const toldOf = (seen: Seen | undefined): string =>
  seen === undefined ? GONE : `${seen.uid}/${seen.resourceVersion}`;

/**
 * Follows the objects that keys wait for and that no watch list covers, each as long as somebody waits for it, and publishes their
 * changes. It has no ledger: whoever begins to wait is told what is so then.
 */
export class AwaitedObjects {
  readonly #parts: AwaitedParts;
  readonly #entries = new Map<string, AwaitedEntry>();
  readonly #outbox: Outbox;
  readonly #streams: Streams;
  readonly #arrivals: Arrivals;
  /** The resources that the server offers, by group and version. */
  readonly #offers = new Map<string, Promise<readonly Resource[]>>();
  readonly #question: WaitsQuestion;
  readonly #unsubscribe: () => void;
  #isStopped = false;

  constructor(parts: AwaitedParts) {
    this.#parts = parts;
    const { bus, clock } = parts;
    this.#outbox = new Outbox(parts);
    this.#arrivals = new Arrivals({
      ...parts,
      look: (group) => this.#lookFor(group),
      defined: (group) => this.#tellMissing(group),
    });
    this.#streams = new Streams({
      clock,
      most: parts.mostStreams,
      namespaces: parts.namespaces,
      places: parts.places,
      open: (scope, { listed }) => this.#open(scope, listed),
    });
    this.#question = new WaitsQuestion({
      ...parts,
      failure: "what keys wait for could not be asked",
      isNeeded: () => this.#entries.size > 0,
      take: (objects) => this.#keep(objects),
    });
    this.#unsubscribe = bus.subscribe({
      waits: (objects) => {
        if (objects === undefined) this.#question.now();
        else for (const object of objects) this.#await(object);
        this.#question.later();
      },
    });
    this.#question.now();
  }

  position(): AwaitedPosition {
    const looks = new Set(this.#arrivals.looks);
    return {
      objects: this.#entries.size,
      pending:
        this.#outbox.size +
        [...this.#entries.values()].filter(isUnsettled).length +
        (this.#question.isOpen ? 1 : 0),
      streams: this.#streams.all.map(({ scope: { resource, namespace, name }, state }) => ({
        group: resource.group,
        kind: resource.kind,
        namespace,
        name,
        state,
      })),
      absent: [
        ...new Map(
          this.#absent().map(({ object: { group, kind } }) => [
            `${group}/${kind}`,
            { group, kind, looks: looks.has(group) },
          ]),
        ).values(),
      ],
    };
  }

  /** The watch list is another one: what it covers now is left to it. */
  recheck(): void {
    for (const entry of [...this.#entries.values()])
      if (this.#parts.isCovered(entry.object)) this.#forget(entry);
    this.#question.now();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#question.stop();
    await Promise.all([this.#outbox.stop(), this.#streams.stop(), this.#arrivals.stop()]);
  }

  /** Forgets what nobody waits for any more. */
  #keep(objects: readonly AwaitedObject[]): void {
    const still = new Set(objects.map(awaitedName));
    for (const entry of [...this.#entries.values()])
      if (!isYoung(entry.since, this.#parts.clock) && !still.has(awaitedName(entry.object)))
        this.#forget(entry);
    for (const object of objects) if (!this.#entries.has(awaitedName(object))) this.#await(object);
  }

  /** Somebody waits for it from now on: what is so is told once, since it may have become so before. */
  #await(object: AwaitedObject): void {
    const { cluster, isCovered } = this.#parts;
    if (this.#isStopped || object.cluster !== cluster || isCovered(object)) return;
    const known = this.#entries.get(awaitedName(object));
    const entry: AwaitedEntry = { object, since: this.#parts.clock.now() };
    this.#entries.set(awaitedName(object), entry);
    if (known?.stream !== undefined) {
      const { resource } = known.stream.scope;
      this.#streams.follow(entry, resource);
      this.#streams.leave(known);
      this.#tell(entry);
    } else void this.#place(entry);
  }

  #forget(entry: AwaitedEntry): void {
    this.#streams.leave(entry);
    this.#outbox.drop(entry.object);
    if (this.#entries.get(awaitedName(entry.object)) === entry)
      this.#entries.delete(awaitedName(entry.object));
    this.#expect();
  }

  async #place(entry: AwaitedEntry): Promise<void> {
    const isCurrent = (): boolean =>
      !this.#isStopped &&
      this.#entries.get(awaitedName(entry.object)) === entry &&
      entry.stream === undefined;
    let resource: Resource | undefined;
    try {
      resource = await this.#resourceOf(entry.object);
    } catch (thrown) {
      if (!isCurrent()) return;
      this.#parts.log.warn(
        { error: messageOf(thrown), kind: entry.object.kind },
        "a kind could not be asked for",
      );
      this.#parts.clock.after(AGAIN_MILLISECONDS, () => void this.#place(entry));
      return;
    }
    if (!isCurrent()) return;
    if (resource === undefined) {
      this.#put(entry, undefined);
      this.#expect();
      return;
    }
    this.#streams.follow(entry, resource);
    this.#tell(entry);
  }

  async #resourceOf({ group, version = "", kind }: AwaitedObject): Promise<Resource | undefined> {
    const id = `${group}/${version}`;
    const offer = this.#offers.get(id) ?? this.#parts.client.discover(group, version);
    this.#offers.set(id, offer);
    const among = (resources: readonly Resource[]): Resource | undefined =>
      resources.find((resource) => resource.kind === kind && !resource.plural.includes("/"));
    try {
      const found = among(await offer);
      // What is not there may come: it is asked anew.
      if (found === undefined && this.#offers.get(id) === offer) this.#offers.delete(id);
      return found;
    } catch (thrown) {
      if (this.#offers.get(id) === offer) this.#offers.delete(id);
      throw thrown;
    }
  }

  #open(scope: StreamScope, listed: () => void): AwaitedStream {
    const { client, clock, log, places } = this.#parts;
    const { resource } = scope;
    const entriesAt = ({ namespace, name }: Pick<Seen, "namespace" | "name">): readonly AwaitedEntry[] => {
      const { group, kind } = resource;
      const { cluster } = this.#parts;
      // Somebody may have named a namespace before the kind was known to have none.
      if (resource.scope === "Cluster")
        return this.#streams.entriesOf(stream).filter(({ object }) => object.name === name);
      const entry = this.#entries.get(awaitedName({ cluster, group, kind, namespace, name }));
      return entry?.stream === stream ? [entry] : [];
    };
    const stream: AwaitedStream = new AwaitedStream(scope, {
      client,
      clock,
      log,
      places,
      changed: (place) => {
        const entries = entriesAt(place);
        for (const entry of entries) this.#tell(entry);
        return entries.length > 0;
      },
      listed: () => {
        listed();
        for (const entry of this.#streams.entriesOf(stream)) this.#tell(entry);
      },
      forbidden: () => {
        for (const entry of this.#streams.refused(stream)) this.#outbox.put(entry.object, "unseen");
      },
      vanished: () => {
        this.#offers.delete(`${resource.group}/${resource.version}`);
        for (const entry of this.#streams.end(stream)) void this.#place(entry);
      },
    });
    return stream;
  }

  #tell(entry: AwaitedEntry): void {
    if (entry.stream?.isComplete !== true) return;
    const { object, stream } = entry;
    const namespace = stream.scope.resource.scope === "Cluster" ? undefined : object.namespace;
    this.#put(entry, stream.seen({ namespace, name: object.name }));
  }

  #put(entry: AwaitedEntry, seen: Seen | undefined): void {
    if (entry.told === toldOf(seen)) return;
    const wasMissing = isMissing(entry);
    entry.told = toldOf(seen);
    const told: Told = seen ?? GONE;
    this.#outbox.put(entry.object, told);
    if (isMissing(entry) !== wasMissing) this.#expect();
  }

  #absent(): readonly AwaitedEntry[] {
    return [...this.#entries.values()].filter(({ stream, told }) => stream === undefined && told === GONE);
  }

  #expect(): void {
    const expected = [...this.#absent(), ...[...this.#entries.values()].filter(isMissing)];
    this.#arrivals.expect(new Set(expected.map(({ object }) => object.group)));
  }

  /** The kind of these objects may have gone and come back between two looks of a stream, which tells of neither: whoever waits is told again. */
  #tellMissing(group: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.object.group !== group || !isMissing(entry)) continue;
      entry.told = undefined;
      this.#tell(entry);
    }
  }

  /** A kind of this group may have come. Whoever waits is told again what is so, even that the object is not there. */
  #lookFor(group: string): void {
    for (const entry of this.#absent()) {
      if (entry.object.group !== group) continue;
      void this.#resourceOf(entry.object).then(
        (resource) => {
          if (resource === undefined || entry.stream !== undefined || this.#isStopped) return;
          if (this.#entries.get(awaitedName(entry.object)) !== entry) return;
          entry.told = undefined;
          this.#streams.follow(entry, resource);
          this.#expect();
          this.#tell(entry);
        },
        (thrown: unknown) =>
          this.#parts.log.debug({ error: messageOf(thrown) }, "a kind could not be asked for"),
      );
    }
  }
}
