import { messageOf as textOf } from "../../errors.ts";
import type { Consumer, Work } from "../contract.ts";
import { type BatchParts, type KeyBatch, keyBatches, runBatch } from "./batch.ts";
import { Holding } from "./leases.ts";
import type { Delivery } from "./message.ts";
import type { Queues } from "./queues.ts";
import type { Timers } from "./timers.ts";

/** A lease is taken for over so long before SQS ends it. */
const MARGIN_MILLISECONDS = 1_000;
/** The pause after a failure. */
const PAUSE_MILLISECONDS = 5_000;

export interface SqsConsumerParts extends BatchParts {
  readonly queues: Queues;
  /** The functions whose items it takes. */
  readonly functions: readonly string[];
  readonly timers: Timers;
  readonly leaseSeconds: number;
  readonly waitSeconds: number;
  /** The pause between two requests that found nothing, where requests do not wait. */
  readonly pollMilliseconds: number;
  /** Sends what was received but not run, so that its deliveries are not counted as attempts. */
  readonly giveBack: (batch: KeyBatch) => Promise<void>;
  readonly stopped: (poller: SqsConsumer) => void;
}

/** One key's messages in hand. */
interface Held {
  readonly url: string;
  readonly batch: KeyBatch;
  readonly holding: Holding;
  cancel: () => void;
}

/**
 * Takes messages from the work queues and the timer queue as Lambda's event source mapping does: up to ten at once, several of
 * one key among them. Unlike it, each key's messages are acknowledged as soon as they are done.
 */
export class SqsConsumer implements Consumer {
  readonly #parts: SqsConsumerParts;
  readonly #parallel: number;
  #lent = 0;
  readonly #urls: readonly string[];
  readonly #work: Work;
  readonly #held = new Set<Held>();
  readonly #waiting: Held[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #abort = new AbortController();
  readonly #looks = new Set<() => void>();
  #running = 0;
  /** A suspect runs: nothing else may begin. */
  #solitary = false;
  #stopping = false;
  /** Functions whose items it leaves alone now. */
  #left: "all" | ReadonlySet<string> = new Set();
  #stopped: Promise<void> | undefined;

  constructor(parts: SqsConsumerParts, urls: readonly string[], parallel: number, work: Work) {
    this.#parts = parts;
    this.#urls = [...new Set(urls)];
    this.#parallel = parallel;
    this.#work = work;
    // Without waiting one loop asks all in turn, so that it never takes more than it has room for.
    const sources = [parts.queues.timers, ...this.#urls];
    for (const urlsOfLoop of parts.waitSeconds === 0 ? [sources] : sources.map((url) => [url]))
      void this.#poll(urlsOfLoop);
  }

  /** Asks the queues now rather than with the next turn. */
  look(): void {
    for (const look of this.#looks) look();
  }

  lend(places: number): void {
    this.#lent = places;
    this.#start();
    this.look();
  }

  leave(functions: "all" | readonly string[]): void {
    this.#left = functions === "all" ? functions : new Set(functions);
    for (const held of this.#waiting.filter(({ batch }) => this.#leaves(batch))) {
      this.#waiting.splice(this.#waiting.indexOf(held), 1);
      void this.#giveBack(held);
    }
    this.look();
  }

  #leaves({ arrivals: [first] }: KeyBatch): boolean {
    return first !== undefined && (this.#left === "all" || this.#left.has(first.work.function));
  }

  /** True where nothing of this queue is taken: where several functions share one, items of those left alone go back. */
  #leavesQueue(url: string): boolean {
    const { queues, functions } = this.#parts;
    const left = this.#left;
    if (url === queues.timers) return false;
    if (left === "all") return true;
    return (
      left.size > 0 && functions.filter((name) => queues.of(name) === url).every((name) => left.has(name))
    );
  }

  stop(milliseconds?: number): Promise<void> {
    this.#stopping = true;
    if (milliseconds !== undefined && this.#held.size > 0) {
      const cut = (): void => this.#releaseWaiters();
      if (milliseconds <= 0) queueMicrotask(cut);
      else this.#waiters.add(this.#parts.clock.after(milliseconds, cut));
    }
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  /** Ends as if the process had died. */
  abandon(): void {
    this.#stopping = true;
    this.#abort.abort();
    for (const held of this.#held) {
      held.cancel();
      held.holding.lose("its process died");
    }
    this.#held.clear();
    this.#releaseWaiters();
    this.look();
  }

  async #end(): Promise<void> {
    if (this.#held.size > 0) await new Promise<void>((resolve) => this.#waiters.add(resolve));
    const left = [...this.#held];
    for (const held of left) {
      held.cancel();
      held.holding.lose("its host was told to stop");
    }
    await Promise.all(left.map((held) => this.#giveBack(held)));
    this.#held.clear();
    // Requests that still wait for messages would keep the process alive.
    this.#abort.abort();
    this.look();
    this.#parts.stopped(this);
  }

  #releaseWaiters(): void {
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }

  async #poll(urls: readonly string[]): Promise<void> {
    const { log, waitSeconds } = this.#parts;
    while (!this.#stopping) {
      let looked = this.#nextLook(this.#parts.pollMilliseconds);
      try {
        let found = 0;
        for (const url of urls) found += await this.#receive(url);
        const waited = waitSeconds > 0 && this.#room() > 0 && !urls.every((url) => this.#leavesQueue(url));
        if (found > 0 || waited) looked.cancel();
        else await looked.promise;
      } catch (thrown) {
        looked.cancel();
        if (this.#stopping) return;
        log.warn({ error: textOf(thrown) }, "messages could not be received");
        looked = this.#nextLook(PAUSE_MILLISECONDS);
        await looked.promise;
      }
    }
  }

  /** Resolves with the next look, or after a pause. */
  #nextLook(milliseconds: number): { readonly promise: Promise<void>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      cancelPause();
      this.#looks.delete(look);
      resolve();
    };
    const cancelPause = this.#parts.clock.after(milliseconds, look);
    this.#looks.add(look);
    return { promise, cancel: look };
  }

  #room(): number {
    if (this.#stopping || this.#solitary || this.#waiting.some(({ batch }) => batch.suspect)) return 0;
    return this.#parallel + this.#lent - this.#held.size;
  }

  async #receive(url: string): Promise<number> {
    const { queues, clock, leaseSeconds, waitSeconds } = this.#parts;
    const forTimers = url === queues.timers;
    const most = forTimers ? 10 : this.#room();
    if (this.#leavesQueue(url) || most <= 0 || this.#stopping) return 0;
    const askedAt = clock.now();
    const deliveries = await queues.receive(url, {
      most,
      waitSeconds,
      leaseSeconds,
      signal: this.#abort.signal,
    });
    if (deliveries.length === 0) return 0;
    if (this.#abort.signal.aborted) return 0;
    if (forTimers) await this.#fire(url, deliveries);
    else for (const batch of keyBatches(deliveries)) this.#take(url, batch, askedAt);
    return deliveries.length;
  }

  async #fire(url: string, deliveries: readonly Delivery[]): Promise<void> {
    const failed = new Set(await this.#parts.timers.fire(deliveries));
    await this.#parts.queues.acknowledge(
      url,
      deliveries.filter((delivery) => !failed.has(delivery)),
    );
  }

  #take(url: string, batch: KeyBatch, askedAt: number): void {
    const { clock, leaseSeconds } = this.#parts;
    const until = askedAt + leaseSeconds * 1000 - MARGIN_MILLISECONDS;
    const held: Held = { url, batch, holding: new Holding(clock, until), cancel: () => undefined };
    this.#held.add(held);
    this.#keepRenewing(held);
    if (this.#stopping) void this.#giveBack(held);
    else if (this.#leaves(batch)) void this.#returnLater(held);
    // A request that was on its way when the suspect began.
    else if (this.#solitary && !batch.suspect) void this.#giveBack(held);
    else {
      this.#waiting.push(held);
      this.#start();
    }
  }

  /** Begins what may run now. A suspect waits until nothing runs, and then runs alone; what is in hand already goes first. */
  #start(): void {
    while (this.#running < this.#parallel + this.#lent && !this.#solitary) {
      const isNext = ({ batch }: Held): boolean => !batch.suspect;
      const next = this.#waiting.find(isNext) ?? (this.#running === 0 ? this.#waiting[0] : undefined);
      if (next === undefined) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      // What was stopped meanwhile was given back already.
      if (this.#held.has(next)) void this.#run(next);
    }
  }

  async #run(held: Held): Promise<void> {
    const { queues, log } = this.#parts;
    this.#running += 1;
    this.#solitary = held.batch.suspect;
    try {
      const ending = await runBatch(this.#parts, held.batch, held.holding, this.#work);
      // What was stopped meanwhile was given back already.
      if (!this.#held.has(held)) return;
      if (ending === "done") await queues.acknowledge(held.url, held.batch.deliveries);
      else if (ending === "failed") await this.#pauseAndGiveBack(held);
      else if (held.holding.held()) await queues.hold(held.url, held.batch.deliveries, 0);
    } catch (thrown) {
      log.warn({ error: textOf(thrown) }, "messages could not be acknowledged; they come again");
    } finally {
      this.#running -= 1;
      this.#solitary = false;
      this.#forget(held);
      this.#start();
      this.look();
    }
  }

  /** The table or SQS fails, not the host: it counts as no attempt. The pause keeps its place, so that little else is tried. */
  async #pauseAndGiveBack(held: Held): Promise<void> {
    await this.#parts.clock.sleep(PAUSE_MILLISECONDS, this.#abort.signal);
    if (this.#held.has(held)) await this.#giveBack(held);
  }

  /** It came although it is left alone: others of its queue are taken. The pause keeps it from coming again and again. */
  async #returnLater(held: Held): Promise<void> {
    try {
      await this.#parts.clock.sleep(PAUSE_MILLISECONDS, this.#abort.signal);
    } catch {
      // It stops: whatever is held then is given back there.
      return;
    }
    if (this.#held.has(held)) await this.#giveBack(held);
  }

  #forget(held: Held): void {
    held.cancel();
    this.#held.delete(held);
    if (this.#held.size === 0) this.#releaseWaiters();
  }

  #keepRenewing(held: Held): void {
    const { clock, queues, leaseSeconds, log } = this.#parts;
    held.cancel = clock.after((leaseSeconds * 1000) / 3, () => {
      const askedAt = clock.now();
      queues.hold(held.url, held.batch.deliveries, leaseSeconds).then(
        (ours) => {
          if (ours) held.holding.renewed(askedAt + leaseSeconds * 1000 - MARGIN_MILLISECONDS);
          else held.holding.lose("SQS gave its messages to another host");
        },
        (thrown: unknown) => log.warn({ error: textOf(thrown) }, "a lease could not be renewed"),
      );
      if (this.#held.has(held) && held.holding.held()) this.#keepRenewing(held);
    });
  }

  async #giveBack(held: Held): Promise<void> {
    try {
      await this.#parts.giveBack(held.batch);
      await this.#parts.queues.acknowledge(held.url, held.batch.deliveries);
    } catch (thrown) {
      this.#parts.log.warn(
        { error: textOf(thrown) },
        "messages could not be given back; they return with their lease",
      );
    } finally {
      this.#forget(held);
    }
  }
}
