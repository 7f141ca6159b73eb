import { randomInt } from "node:crypto";
import { catalogue, type Envelope } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import { type Log, silent } from "../../log/log.ts";
import type { Bus, BusListener, WaitedObject } from "../contract.ts";
import { BusError } from "../errors.ts";
import type { NewItem } from "../item.ts";
import { Listeners } from "../listeners.ts";
import type { Memory, MemoryLine } from "../memory.ts";
import { pendingOf } from "../pending-of.ts";
import { defaultRetry } from "../retry.ts";
import { Alarm } from "./alarm.ts";
import { openCounts } from "./counts.ts";
import { Database } from "./database.ts";
import { openDeadLetters } from "./dead-letters.ts";
import { Dispatcher } from "./dispatcher.ts";
import { EchoMemory } from "./echo-memory.ts";
import { Health, RESERVE_BYTES } from "./health.ts";
import { defaultHistory, type HistoryTable, openHistory } from "./history.ts";
import { type Inbox, openInbox } from "./inbox.ts";
import { Keeper } from "./keeper.ts";
import { openKeyTable } from "./key-table.ts";
import { type Hold, signAsHolder, take, takeOrName } from "./leases.ts";
import { LiveKeys } from "./live-keys.ts";
import { Memories } from "./memories.ts";
import type { EmbeddedBusOptions } from "./options.ts";
import { Publisher } from "./publisher.ts";
import { openRefusedTable } from "./refused-table.ts";
import { KeyStore } from "./store.ts";
import { openTimers } from "./timers.ts";
import { type Transaction, Writer } from "./writer.ts";

/** The bus of one process: in memory, with a journal and a SQLite file where it outlives the process. */
export interface EmbeddedBus extends Bus {
  storeId(): Promise<string>;
  remember: NonNullable<Bus["remember"]>;
  /** Ends at once as the death of the process would: nothing is given back, nothing more is written. For tests. */
  abandon(): void;
}

const POLL_MILLISECONDS = 500;
const RETRY_WRITE_MILLISECONDS = 1_000;
/** The most bytes of a journal; as a reserve is laid in the file for what it holds where space is scarce, half of that then. */
const JOURNAL_BYTES = 1 << 24;
const SCARCE_JOURNAL_BYTES = RESERVE_BYTES / 2;

/**
 * Opens the embedded bus for this process alone. Others may read the file and ask through its inbox: see `openEmbeddedClient`.
 * @throws BusError when the file cannot be opened or made, is damaged, another program's, a newer version's or another process's
 */
export const openEmbeddedBus = (options: EmbeddedBusOptions): EmbeddedBus =>
  open(options, options.file === ":memory:" ? undefined : takeOrName(options.file));

/** Does what stands in the inbox of a bus on a file, unless a process has it, which will. @throws BusError as `openEmbeddedBus` */
export async function emptyInboxWhereFree(options: EmbeddedBusOptions): Promise<void> {
  const hold = take(options.file, 0);
  if (hold === undefined) return;
  const bus = open(options, hold);
  try {
    await bus.emptyInbox();
  } finally {
    await bus.close();
  }
}

function open(options: EmbeddedBusOptions, hold: Hold | undefined): Embedded {
  const { file, powerCutSafe = false, hook, maximumBytes } = options;
  let database: Database | undefined;
  try {
    database = new Database(file, { powerCutSafe, hook, maximumBytes });
    return new Embedded(options, database, hold);
  } catch (thrown) {
    database?.close();
    hold?.release();
    throw thrown;
  }
}

class Embedded implements EmbeddedBus {
  readonly deadLetters: Bus["deadLetters"];
  readonly history: Bus["history"];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #pollMilliseconds: number;
  readonly #database: Database;
  readonly #store: KeyStore;
  readonly #writer: Writer;
  readonly #publisher: Publisher;
  readonly #dispatcher: Dispatcher;
  readonly #keeper: Keeper;
  readonly #hold: Hold | undefined;
  readonly #inbox: Inbox;
  readonly #health: Health;
  readonly #history: HistoryTable;
  readonly #memories: Memories;
  readonly #alarm: Alarm;
  readonly #counts: () => Awaited<ReturnType<Bus["counts"]>>;
  readonly #listeners: Listeners;
  #cancelPoll: (() => void) | undefined;
  #consuming = false;
  #closed: Promise<void> | undefined;

  constructor(options: EmbeddedBusOptions, database: Database, hold: Hold | undefined) {
    const { clock, route, types = () => catalogue, log = silent, retry: policy = defaultRetry } = options;
    const listeners = new Listeners(log);
    this.#listeners = listeners;
    this.#clock = clock;
    this.#log = log;
    this.#pollMilliseconds = options.pollMilliseconds ?? POLL_MILLISECONDS;
    this.#database = database;
    this.#hold = hold;
    if (hold !== undefined) signAsHolder(database);
    const table = openKeyTable(database);
    const live = new LiveKeys(table, clock.now());
    const timers = openTimers(database);
    const refused = openRefusedTable(database);
    const history = openHistory(database, options.history ?? defaultHistory, { clock, log });
    this.#history = history;
    this.history = history.queries;
    this.#health = new Health(database, clock, log, {
      wake: () => this.#dispatcher.wake(),
      spare: () => history.halve(),
      settle: () => this.#keeper.settle(),
    });
    const failed = (thrown: unknown): void => this.#health.failed(thrown);
    this.#memories = new Memories(database);
    this.#keeper = new Keeper({
      database,
      live,
      timers,
      refused,
      history,
      memories: this.#memories,
      clock,
      log,
      reserve: () => this.#health.reserve(),
      failed,
      isFull: () => this.#health.isFull,
      journal: {
        powerCutSafe: options.powerCutSafe ?? false,
        maximumBytes: journalBytes(options),
        hook: options.hook,
      },
    });
    const store = new KeyStore(live, timers, listeners.waits, options.isKnown ?? (() => true));
    this.#store = store;
    const echoes = new EchoMemory();
    const counts = openCounts(database);
    this.#counts = () => {
      this.#keeper.tryFlush();
      return counts(clock.now(), refused.count());
    };
    this.#alarm = new Alarm(clock, () => this.#fire());
    const writer = new Writer(
      (transaction) => this.#beforeCommit(transaction),
      (transaction) => this.#keeper.commit(transaction),
      failed,
    );
    this.#writer = writer;
    this.#dispatcher = new Dispatcher({
      store,
      history,
      echoes,
      writer,
      owner: randomInt(2 ** 47),
      clock,
      log,
      policy,
      random: options.random ?? Math.random,
      ran: listeners.ran,
      consumed: (byAny) => this.#consumed(byAny),
    });
    this.#publisher = new Publisher({
      store,
      echoes,
      writer,
      clock,
      route,
      types,
      published: listeners.published,
    });
    const republish = async (text: string): Promise<boolean> =>
      (await this.#publisher.publishText(text)).refused.length === 0;
    this.deadLetters = openDeadLetters({ store, refused, writer, clock, republish });
    this.#inbox = openInbox(database, { bus: this, clock, log });
    this.#keeper.open();
    store.passNumber(Math.max(table.lastSeq(), live.lastSeq, timers.lastNumber()));
    // Memory has no end that is known, unless one is set.
    if (!database.inMemory || options.maximumBytes !== undefined) this.#health.start();
  }

  async publish(events: readonly Envelope[], line?: MemoryLine): ReturnType<Bus["publish"]> {
    this.#health.check();
    return this.#publisher.publish(events, line);
  }

  remember(name: string, memory: Memory): () => void {
    return this.#memories.join(name, memory);
  }

  async enqueue(items: readonly NewItem[]): Promise<void> {
    this.#health.check();
    return this.#writer.submit((transaction) => {
      for (const item of items) this.#store.enqueue(transaction, item, this.#clock.now());
    });
  }

  consume(
    options: Parameters<Bus["consume"]>[0],
    work: Parameters<Bus["consume"]>[1],
  ): ReturnType<Bus["consume"]> {
    return this.#dispatcher.consume(options, work);
  }

  async pending(key: Parameters<Bus["pending"]>[0]): ReturnType<Bus["pending"]> {
    this.#requireOpen();
    return pendingOf(this.#store.peek(key).state, this.#clock.now());
  }

  async counts(): ReturnType<Bus["counts"]> {
    return this.#counts();
  }

  async waits(): ReturnType<Bus["waits"]> {
    return this.#store.followed();
  }

  subscribe(listener: BusListener): () => void {
    return this.#listeners.add(listener);
  }

  hearsOf(object: WaitedObject): boolean {
    return this.#listeners.hearEvents || this.#store.isAwaited(object);
  }

  ready(): boolean {
    return this.#health.ready;
  }

  async storeId(): Promise<string> {
    return this.#keeper.birth;
  }

  /** Does what other processes ask for. */
  emptyInbox(): Promise<void> {
    return this.#inbox.empty();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  abandon(): void {
    this.#closed ??= Promise.resolve();
    this.#dispatcher.abandon();
    this.#history.stop();
    this.#end();
  }

  async #close(): Promise<void> {
    await this.#dispatcher.close();
    this.#writer.flush();
    this.#keeper.tryFlush();
    this.#history.flush();
    this.#end();
  }

  #end(): void {
    this.#quiet();
    this.#keeper.close();
    this.#database.close();
    this.#hold?.release();
  }

  #requireOpen(): void {
    if (this.#database.isOpen) return;
    throw new BusError("BUS_CLOSED", `The bus ${this.#database.file} is closed; open it again.`);
  }

  #quiet(): void {
    this.#consuming = false;
    this.#cancelPoll?.();
    this.#alarm.stop();
    this.#health.stop();
  }

  #beforeCommit(transaction: Transaction): void {
    this.#requireOpen();
    if (this.#consuming) this.#dispatcher.takeReady(transaction);
    if (this.#consuming && transaction.movedDue) transaction.afterCommit.push(() => this.#setAlarm());
  }

  #setAlarm(): void {
    if (this.#consuming) this.#alarm.set(this.#store.nextDue());
  }

  /** Fires what is due. */
  #fire(): void {
    const failed = (thrown: unknown): void => {
      this.#log.error({ error: messageOf(thrown) }, "timers could not fire");
      if (this.#consuming) this.#alarm.set(this.#clock.now() + RETRY_WRITE_MILLISECONDS);
    };
    this.#writer.submit((transaction) => this.#store.fire(transaction, this.#clock.now())).catch(failed);
  }

  async #consumed(byAny: boolean): Promise<void> {
    this.#consuming = byAny;
    if (!byAny) {
      this.#cancelPoll?.();
      this.#alarm.stop();
      return;
    }
    try {
      await this.#writer.submit((transaction) => {
        const now = this.#clock.now();
        this.#store.fire(transaction, now);
        this.#dispatcher.giveBackLost(transaction, now);
      });
      if (!this.#consuming) return;
      this.#dispatcher.wake();
      await this.#inbox.empty();
      this.#poll(this.#database.dataVersion());
    } catch (thrown) {
      this.#log.error({ error: messageOf(thrown) }, "this host could not take up what was left to it");
      this.#cancelPoll = this.#clock.after(
        RETRY_WRITE_MILLISECONDS,
        () => void this.#consumed(this.#consuming),
      );
    }
  }

  /** Other processes cannot call: whatever they ask for shows in the file's version. */
  #poll(seen: number): void {
    if (this.#database.inMemory || !this.#consuming) return;
    this.#cancelPoll = this.#clock.after(this.#pollMilliseconds, () => {
      const version = this.#database.dataVersion();
      if (version === seen) return this.#poll(version);
      const failed = (thrown: unknown): number => {
        this.#log.warn({ error: messageOf(thrown) }, "what others ask for has to wait");
        return seen;
      };
      void this.#inbox
        .empty()
        .then(() => version, failed)
        .then((now) => this.#poll(now));
    });
  }
}

function journalBytes({ file, maximumBytes }: EmbeddedBusOptions): number {
  if (maximumBytes !== undefined) return SCARCE_JOURNAL_BYTES;
  return file === ":memory:" ? Number.POSITIVE_INFINITY : JOURNAL_BYTES;
}
