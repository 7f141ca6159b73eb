import { messageOf } from "../../shared/errors.ts";
import type { WatchEvent } from "../../shared/kube/client.ts";
import { KubeError, type KubeStatus } from "../../shared/kube/errors.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";
import { Compare } from "./compare.ts";
import { DirtyKeys } from "./dirty-keys.ts";
import { Echoes } from "./echoes.ts";
import type { FollowerContext } from "./follower-context.ts";
import { kindIsGone } from "./kind-presence.ts";
import type { KindState, ListReason } from "./kind-state.ts";
import { pagesOf } from "./pages.ts";
import { type Publisher, subjectOf } from "./publication.ts";
import { Setbacks } from "./setbacks.ts";
import { sightSafely } from "./sight-safely.ts";
import { entryOf, metadataSuffices, type Sighting } from "./sighting.ts";

type Interruption = "stop" | "full" | { readonly list: ListReason };

/** Follows one kind, in one namespace or all: lists, streams, backs off. */
export class Follower {
  readonly key: string;
  readonly watched: WatchedKind;
  readonly namespace: string | undefined;
  readonly publisher: Publisher;
  readonly dirty: DirtyKeys;
  /** The echoes of own writes; undefined where no function runs beside the watcher. */
  readonly echoes: Echoes | undefined;
  /** The version that was read last; undefined before the first list is complete. */
  read: string | undefined;
  /** Compares begun. */
  lists = 0;
  /** True once its kind was compared, or caught up with. */
  isSynced = false;
  readonly #context: FollowerContext;
  readonly #log: Log;
  readonly #setbacks: Setbacks;
  readonly #metadataOnly: boolean;
  #state: KindState = { name: "beginning" };
  #turn = new AbortController();
  #interruption: Interruption | undefined;
  #listedAt: number;
  /** True while a line is told later than it came. */
  #isLate = false;
  #running: Promise<void> | undefined;

  constructor(context: FollowerContext, watched: WatchedKind, namespace: string | undefined) {
    this.#context = context;
    this.watched = watched;
    this.namespace = namespace;
    this.key = streamKey(watched, namespace);
    const stream = context.ledger.stream(this.key);
    this.publisher = { cluster: context.cluster, watched, entry: entryOf(watched), stream };
    this.dirty = new DirtyKeys(context.room);
    this.#log = context.log.child({ stream: this.key });
    this.#setbacks = new Setbacks({ ...context, watched, namespace, log: this.#log });
    this.#metadataOnly = metadataSuffices(watched);
    this.#listedAt = context.clock.now();
    const { beside } = context;
    const { publisher, dirty, sight } = this;
    const late = (tell: () => void): void => this.#tellLate(tell);
    this.echoes = beside && new Echoes({ ...context, beside, publisher, dirty, sight, log: this.#log, late });
  }

  /** Watches opened again. */
  get restarts(): number {
    return this.#setbacks.restarts;
  }

  get state(): KindState {
    return this.#state;
  }

  /** True where the knowledge of the kind is up to date, or about to be. */
  get isWell(): boolean {
    if (!this.isSynced || this.#state.name === "forbidden") return false;
    // Between two attempts too: a kind that fails again and again is not followed, whatever it tries just now.
    return !this.#setbacks.areMany || this.#state.name === "streaming" || this.#setbacks.isAbsent;
  }

  /** True where the server has said all that it is going to say of the kind at the start. */
  get hasAnswered(): boolean {
    return this.isSynced || this.#state.name === "absent" || this.#state.name === "forbidden";
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#interrupt("stop");
    await this.#running;
    this.dirty.clear();
  }

  /** Lists once more, at once. */
  relist(because: ListReason): void {
    if (this.#state.name !== "beginning") this.#interrupt({ list: because });
  }

  /** Asks at once for a kind that was absent or forbidden. */
  retry(): void {
    if (
      this.#state.name === "absent" ||
      this.#state.name === "forbidden" ||
      this.#state.name === "backingOff"
    )
      this.#interrupt({ list: this.read === undefined ? "start" : "appeared" });
  }

  /** All that is known of it belongs to another era. */
  forgetPosition(): void {
    this.read = undefined;
    this.echoes?.clear();
    this.dirty.clear();
  }

  #interrupt(why: Interruption): void {
    if (this.#interruption !== "stop") this.#interruption = why;
    this.#turn.abort();
  }

  async #run(): Promise<void> {
    while (this.#state.name !== "stopped") {
      this.#turn = new AbortController();
      let next: KindState;
      try {
        next = await this.#step(this.#turn.signal);
      } catch (error) {
        next =
          this.#interruption === undefined ? this.#setbacks.afterFailure(error, this.#state) : this.#state;
      }
      const why = this.#interruption;
      this.#interruption = undefined;
      if (why === "stop") next = { name: "stopped" };
      else if (why === "full") next = { name: "full" };
      else if (why !== undefined) next = { name: "listing", because: why.list };
      this.#enter(next);
    }
  }

  #enter(state: KindState): void {
    this.#state = state;
    this.#context.work();
  }

  async #step(signal: AbortSignal): Promise<KindState> {
    const state = this.#state;
    const { clock } = this.#context;
    switch (state.name) {
      case "beginning":
        return this.#begin();
      case "listing":
        return await this.#list(state.because, signal);
      case "probing":
        return await this.#probe(signal);
      case "opening":
      case "streaming":
        return await this.#stream(signal);
      case "full":
        await this.#context.room.forStream(signal);
        return { name: "opening" };
      case "backingOff":
      case "forbidden":
        await clock.sleep(Math.max(0, state.until - clock.now()), signal);
        return state.next;
      case "absent":
        await clock.sleep(Math.max(0, state.until - clock.now()), signal);
        await this.#tellVanished(state.since, signal);
        return { name: "listing", because: "appeared" };
      case "stopped":
        return state;
    }
  }

  #begin(): KindState {
    const position = this.#context.ledger.position(this.publisher.stream);
    if (position === undefined) return { name: "listing", because: "start" };
    if (position.entry !== this.publisher.entry) return { name: "listing", because: "entry" };
    this.read = position.resourceVersion;
    return { name: "probing" };
  }

  async #list(because: ListReason, signal: AbortSignal): Promise<KindState> {
    const { client, ledger, listing, counters, clock } = this.#context;
    await listing.take(signal);
    try {
      const { era } = ledger;
      counters.lists++;
      this.lists++;
      this.#listedAt = clock.now();
      const strewn = because === "era" || because === "timer" || because === "entry" || ledger.isRebuilt;
      const compare = this.#compare(era, strewn ? "sweep" : undefined);
      let first: string | undefined;
      const { namespace } = this;
      const metadataOnly = this.#metadataOnly;
      for await (const page of pagesOf(client, this.watched, { namespace, metadataOnly, signal })) {
        const { resourceVersion } = page.metadata;
        // The watch begins at the first page's version: it tells again what later pages already show.
        first ??= resourceVersion;
        this.#setbacks.present();
        if ((await compare.page(page.items, resourceVersion, signal)) === "wentBack")
          return this.#wentBack(era, resourceVersion);
        this.#setbacks.wentWell();
      }
      if (first === undefined) throw new Error("A list without a page");
      await compare.end(first, signal);
      this.read = first;
      this.isSynced = true;
      return { name: "opening" };
    } finally {
      listing.give();
    }
  }

  async #probe(signal: AbortSignal): Promise<KindState> {
    const { client, ledger } = this.#context;
    if (this.read === undefined) return { name: "listing", because: "start" };
    const era = ledger.era;
    try {
      await client.list(this.watched, {
        namespace: this.namespace,
        limit: 1,
        resourceVersion: this.read,
        resourceVersionMatch: "NotOlderThan",
        metadataOnly: true,
        signal,
      });
    } catch (error) {
      if (!(error instanceof KubeError) || error.kind !== "future") throw error;
      return this.#wentBack(era, this.read);
    }
    return { name: "opening" };
  }

  #wentBack(era: number, resourceVersion: string | undefined): KindState {
    this.#log.warn(
      { era, resourceVersion },
      "The API server went back to an older state: every object is published again",
    );
    this.#context.serverWentBack(era);
    return { name: "listing", because: "era" };
  }

  async #stream(signal: AbortSignal): Promise<KindState> {
    const { client, clock, opening, timing } = this.#context;
    const from = this.read;
    if (from === undefined) return { name: "listing", because: "start" };
    await opening.take(signal);
    let isOpening = true;
    const opened = (): void => {
      if (isOpening) opening.give();
      isOpening = false;
    };
    let told = false;
    let refusal: KubeStatus | undefined;
    const timers: (() => void)[] = [];
    const isOver = (): boolean => refusal !== undefined || this.#interruption !== undefined;
    this.echoes?.begin();
    try {
      const end = await client.watch(this.watched, {
        namespace: this.namespace,
        labelSelector: this.watched.labelSelector,
        metadataOnly: this.#metadataOnly,
        resourceVersion: from,
        silenceMilliseconds: timing.silence,
        signal,
        onOpen: () => {
          opened();
          this.#setbacks.opened();
          this.#enter({ name: "streaming", since: clock.now() });
          timers.push(clock.after(this.#sweepDue(), () => this.#interrupt({ list: "timer" })));
          if (!this.isSynced) timers.push(clock.after(timing.quiet, () => this.#caughtUp()));
        },
        onLine: (line, tell) => {
          const version = isOver() ? undefined : this.echoes?.takes(line, tell, this.read);
          if (version === undefined) return false;
          told = true;
          this.#context.counters.eventsRead++;
          this.#setbacks.wentWell();
          this.read = version;
          return true;
        },
        onEvent: (event) => {
          if (isOver()) return;
          told = true;
          if (!this.#isLate) this.#context.counters.eventsRead++;
          if (event.type !== "ERROR") {
            this.#take(event);
            return;
          }
          refusal = event.object as unknown as KubeStatus;
          this.#turn.abort();
        },
      });
      if (refusal !== undefined) return this.#setbacks.afterRefusal(refusal);
      return this.#setbacks.afterEnd(end.reason, end.error, told);
    } finally {
      opened();
      for (const cancel of timers) cancel();
      // What still waits for an answer is read once more.
      const before = this.echoes?.discard();
      if (this.read !== undefined && before !== undefined) this.read = before;
    }
  }

  #sweepDue(): number {
    const { timing, clock, random } = this.#context;
    return Math.max(0, this.#listedAt + timing.sweep * (0.8 + 0.4 * random()) - clock.now());
  }

  #caughtUp(): void {
    this.isSynced = true;
    this.#context.work();
  }

  #take(event: WatchEvent): void {
    const { clock, ledger, counters, work } = this.#context;
    const version = event.object.metadata?.resourceVersion;
    if (event.type === "BOOKMARK") {
      this.#setbacks.wentWell();
      if (version !== undefined) this.read = version;
      work();
      return;
    }
    const sighting = this.sight(event.object);
    if (sighting === undefined) return;
    if (!this.dirty.admits(sighting.uid)) {
      counters.backPressure++;
      const { dirty, bytes } = this.#context.room;
      this.#log.warn(
        { dirty, bytes },
        "More changes wait to be published than fit: the kind is read on once half of them are",
      );
      this.#interrupt("full");
      return;
    }
    const deleted = event.type === "DELETED";
    if (deleted) this.#gone(sighting);
    else this.#saw(event.object);
    this.dirty.mark(sighting, {
      by: "stream",
      lane: "urgent",
      deleted,
      era: ledger.era,
      before: this.read,
      asOf: sighting.resourceVersion,
      at: clock.now(),
    });
    this.#setbacks.wentWell();
    if (!this.#isLate) this.read = sighting.resourceVersion;
    work();
  }

  /** A line that is told late: what came after it was read already, and it keeps its place. */
  #tellLate(tell: () => void): void {
    this.#isLate = true;
    try {
      tell();
    } catch (error) {
      this.#log.error({ error: messageOf(error) }, "A line that waited cannot be read: the kind is listed");
      this.#interrupt({ list: "stuck" });
    } finally {
      this.#isLate = false;
    }
  }

  readonly sight = (object: KubeObject): Sighting | undefined =>
    sightSafely(object, this.watched, { counters: this.#context.counters, log: this.#log });

  readonly #saw = (object: KubeObject): void => {
    if (!this.#metadataOnly) this.#context.onlooker?.saw(subjectOf(this.watched, object.metadata), object);
  };

  readonly #gone = (sighting: Sighting): void =>
    this.#context.onlooker?.gone(subjectOf(this.watched, sighting), sighting.resourceVersion);

  /** Objects of a kind that is gone are gone. A server that is just starting also knows no kinds: look before telling. */
  async #tellVanished(since: number, signal: AbortSignal): Promise<void> {
    const { client, ledger, clock, timing } = this.#context;
    if (ledger.count(this.publisher.stream) === 0 && this.dirty.size === 0) return;
    const gone = await kindIsGone(client, this.watched, signal);
    if (gone === "present" || (gone === "unknown" && clock.now() - since < timing.vanished)) return;
    await this.#compare(ledger.era, "sweep").end(this.read ?? "0", signal);
    this.read = undefined;
  }

  /** A compare of the kind's objects with the ledger. */
  #compare(era: number, lane: "sweep" | undefined): Compare {
    const { ledger, room, counters, clock, work } = this.#context;
    return new Compare({
      publisher: this.publisher,
      ledger,
      dirty: this.dirty,
      room,
      counters,
      era,
      now: () => clock.now(),
      lane,
      sight: this.sight,
      onSeen: this.#saw,
      onGone: this.#gone,
      onMarked: work,
    });
  }
}

/** `apps/deployments`, with `@namespace` where only one is followed. */
export const streamKey = ({ group, plural }: WatchedKind, namespace: string | undefined): string =>
  `${group}/${plural}${namespace === undefined ? "" : `@${namespace}`}`;
