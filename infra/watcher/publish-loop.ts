import { setImmediate as nextTurn } from "node:timers/promises";
import type { Envelope, Lane } from "../../events/index.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf, ReveilleError } from "../../shared/errors.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Counters } from "./counters.ts";
import type { Follower } from "./follower.ts";
import type { KeptLine } from "./kept-lines.ts";
import { isCustom, kindIsGone } from "./kind-presence.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerChange, LedgerRow } from "./ledger-lines.ts";
import type { Mark } from "./mark.ts";
import { type Publication, publishGone, publishPresent } from "./publication.ts";
import { metadataSuffices } from "./sighting.ts";
import { backOff, type Timing } from "./timing.ts";

/** Events that one `publish` takes at most. */
const BATCH = 100;
/** One key comes to this many events at most: the end of another uid, the present, and a flip of each. */
const EVENTS_A_KEY = 4;
/** Keys of one batch; most of them may come to nothing. */
const KEYS = 500;
/** The number of deletes of a custom kind in one batch that may mean that its CRD is gone. */
const MASS_DELETE = 20;
/** The number of batches of which one begins with the slow lane, so that it never starves. */
const SWEEP_TURN = 4;

export interface PublishContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly timing: Timing;
  readonly ledger: Ledger;
  readonly counters: Counters;
  readonly followers: () => readonly Follower[];
  /** True where this watcher is the one that publishes. */
  readonly leads: () => boolean;
  readonly publish: (events: Envelope[], line?: KeptLine) => Promise<void>;
  /** Nothing is left to publish for now. */
  readonly onDrained: () => void;
}

interface Batch {
  readonly events: Envelope[];
  readonly changes: Map<Follower, LedgerChange[]>;
  readonly first: LedgerChange[];
  /** Uids whose end is told in this batch, though the ledger still knows them. */
  readonly ended: Set<string>;
  keys: number;
  noOps: number;
}

interface Recorded {
  readonly lines: readonly LedgerChange[];
  /** Era and version up to which a stream is recorded with them. */
  readonly positions: ReadonlyMap<Follower, string>;
  /** The number of echoes of a stream that are among them. */
  readonly echoes: ReadonlyMap<Follower, number>;
}

/** Drains the dirty keys: publishes, then records. One batch at a time. */
export class PublishLoop {
  /** False while the bus or the ledger refuses. */
  isHealthy = true;
  /** True while a batch is on its way. */
  isBusy = false;
  readonly #context: PublishContext;
  readonly #stop = new AbortController();
  readonly #recorded = new WeakMap<Follower, string>();
  #wake: (() => void) | undefined;
  #woken = false;
  #turn = 0;
  #failures = 0;
  #running: Promise<void> | undefined;

  constructor(context: PublishContext) {
    this.#context = context;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** There may be something to do. */
  work(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Resolves when the batch that is on its way has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.work();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (!this.#woken) await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
      this.#woken = false;
      if (signal.aborted || !this.#context.leads()) continue;
      try {
        while (this.#context.leads() && !signal.aborted && (await this.#drain()));
        this.#context.onDrained();
      } catch (error) {
        if (signal.aborted) return;
        await this.#pause(error, signal);
      }
    }
  }

  /** Publishes and records one batch. False when nothing is left to do. */
  async #drain(): Promise<boolean> {
    const { ledger, counters, publish } = this.#context;
    const batch: Batch = { events: [], changes: new Map(), first: [], ended: new Set(), keys: 0, noOps: 0 };
    let recorded: Recorded;
    this.isBusy = true;
    try {
      await this.#gather(batch);
      const isTold = batch.events.length > 0;
      const line = isTold ? ledger.line(() => this.#toRecord(batch).lines) : undefined;
      if (line === undefined) ledger.commit(batch.first);
      if (isTold) {
        await publish(batch.events, line);
        // In one process the functions that this woke are about to send: the ledger has time.
        await nextTurn();
      }
      recorded = this.#toRecord(batch);
      ledger.commit(recorded.lines, line);
    } catch (error) {
      for (const follower of batch.changes.keys()) follower.dirty.putBack();
      throw error;
    } finally {
      this.isBusy = false;
    }
    for (const follower of batch.changes.keys()) follower.dirty.confirm();
    for (const [follower, count] of recorded.echoes) follower.echoes?.changes.splice(0, count);
    for (const [follower, version] of recorded.positions) this.#recorded.set(follower, version);
    this.isHealthy = true;
    this.#failures = 0;
    counters.published += batch.events.length;
    counters.noOpsDropped += batch.noOps;
    return batch.keys > 0;
  }

  /** The lines that are recorded with a batch: its objects, and how far each stream is published now. */
  #toRecord(batch: Batch): Recorded {
    const { followers, ledger } = this.#context;
    const positions = new Map<Follower, string>();
    const echoes = new Map<Follower, number>();
    const lines: LedgerChange[] = [];
    const { era } = ledger;
    for (const follower of followers()) {
      const left = follower.echoes?.changes ?? [];
      if (left.length > 0) echoes.set(follower, left.length);
      lines.push(...left, ...(batch.changes.get(follower) ?? []));
      const version = follower.dirty.publishedUpTo(follower.read);
      if (version === undefined || this.#recorded.get(follower) === `${era} ${version}`) continue;
      positions.set(follower, `${era} ${version}`);
      const { stream, entry } = follower.publisher;
      lines.push({ do: "position", stream, position: { resourceVersion: version, entry } });
    }
    return { lines, positions, echoes };
  }

  /** Takes keys, oldest first and stream by stream, until the batch is full. */
  async #gather(batch: Batch): Promise<void> {
    const followers = this.#context.followers();
    this.#turn++;
    const lanes: readonly Lane[] = this.#turn % SWEEP_TURN === 0 ? ["sweep", "urgent"] : ["urgent", "sweep"];
    for (const lane of lanes)
      for (let index = 0; index < followers.length; index++) {
        const follower = followers[(index + this.#turn) % followers.length];
        // Most hold nothing, and most of what others hold needs no waiting.
        if (follower?.dirty.holds(lane)) await this.#gatherFrom(follower, lane, batch);
      }
  }

  async #gatherFrom(follower: Follower, lane: Lane, batch: Batch): Promise<void> {
    let deletes = 0;
    let deleteLane: Lane | undefined;
    while (batch.events.length <= BATCH - EVENTS_A_KEY && batch.keys < KEYS) {
      const mark = follower.dirty.take(lane);
      if (mark === undefined) return;
      // Noted before anything can fail, so that what was taken is put back.
      const changes = batch.changes.get(follower) ?? [];
      batch.changes.set(follower, changes);
      if (mark.deleted && ++deletes === MASS_DELETE && isCustom(follower.watched)) {
        const presence = await kindIsGone(this.#context.client, follower.watched, this.#stop.signal);
        if (presence === "gone") deleteLane = "sweep";
      }
      const made = this.#publicationOf(follower, mark, deleteLane ?? mark.lane, batch.ended);
      const { events, changes: lines, first } = made instanceof Promise ? await made : made;
      for (const line of lines) if (line.do === "forget") batch.ended.add(line.uid);
      if (first !== undefined) batch.first.push(first);
      batch.keys++;
      if (events.length === 0) batch.noOps++;
      batch.events.push(...events);
      changes.push(...lines);
    }
  }

  /** A promise only where the server has to be asked. */
  #publicationOf(
    follower: Follower,
    mark: Mark,
    lane: Lane,
    ended: ReadonlySet<string>,
  ): Publication | Promise<Publication> {
    const { ledger } = this.#context;
    const { publisher, watched } = follower;
    const { namespace, name } = mark.last;
    const known = ledger.row(publisher.stream, namespace, name);
    const row = known === undefined || ended.has(known.uid) ? undefined : known;
    if (mark.deleted && ended.has(mark.last.uid)) return { events: [], changes: [] };
    if (!mark.deleted) return publishPresent(publisher, mark, row);
    if (watched.labelSelector === undefined) return publishGone(publisher, mark, row, lane);
    return this.#publicationOfUnselected(follower, mark, row, lane);
  }

  async #publicationOfUnselected(
    follower: Follower,
    mark: Mark,
    row: LedgerRow | undefined,
    lane: Lane,
  ): Promise<Publication> {
    const { publisher } = follower;
    const { namespace, name } = mark.last;
    const left = await this.#stillThere(follower, mark);
    if (left === undefined) return publishGone(publisher, mark, row, lane);
    // It left the selector, and lives on. It is told once more as it is now, and then no longer followed.
    const { events } = publishPresent(publisher, { ...left, incomplete: true }, row);
    return {
      events,
      changes: [{ do: "forget", stream: publisher.stream, namespace, name, uid: mark.last.uid }],
    };
  }

  /** The object that a selector let go of, as it is now; undefined where it is really gone. */
  async #stillThere(follower: Follower, mark: Mark): Promise<Mark | undefined> {
    const { client, log } = this.#context;
    const { watched } = follower;
    const { namespace, name, uid } = mark.last;
    try {
      const object = await client.get(
        watched,
        { name, ...(namespace === "" ? {} : { namespace }) },
        { metadataOnly: metadataSuffices(watched), signal: this.#stop.signal },
      );
      if (object === undefined || object.metadata.uid !== uid) return undefined;
      const last = follower.sight(object);
      if (last === undefined) return undefined;
      return { ...mark, last, deleted: false, lived: true, touched: new Set([...mark.touched, "object"]) };
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (error.kind === "kindMissing") return undefined;
      if (error.kind !== "forbidden") throw error;
      log.warn(
        { verb: "get", group: watched.group, resource: watched.plural },
        "Not allowed to look whether an object left the selector or is gone: taken as gone",
      );
      return undefined;
    }
  }

  async #pause(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, timing, random, log, counters } = this.#context;
    this.isHealthy = false;
    counters.publishFailures++;
    const attempt = ++this.#failures;
    const code = error instanceof ReveilleError ? error.code : undefined;
    // Said at once, and then now and then while it lasts.
    if (attempt === 1 || attempt % 10 === 0)
      log.error(
        { code, attempt },
        `Events cannot be published or recorded, they stay due: ${messageOf(error)}`,
      );
    this.#woken = true;
    try {
      await clock.sleep(backOff(attempt, timing.backOffFirst, timing.backOffMost, random), signal);
    } catch (reason) {
      if (!signal.aborted) throw reason;
    }
  }
}
