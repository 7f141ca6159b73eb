import { catalogue, type Envelope } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import { type Log, silent } from "../../log/log.ts";
import type { Bus, BusListener, WaitedObject } from "../contract.ts";
import type { NewItem } from "../item.ts";
import { Listeners } from "../listeners.ts";
import { defaultRetry } from "../retry.ts";
import { Alarm } from "./alarm.ts";
import { openCounts } from "./counts.ts";
import { Database } from "./database.ts";
import { openDeadLetters } from "./dead-letters.ts";
import { Dispatcher } from "./dispatcher.ts";
import { EchoMemory } from "./echo-memory.ts";
import { Health } from "./health.ts";
import { defaultHistory, type HistoryTable, openHistory } from "./history.ts";
import { openInstanceTable } from "./instance-table.ts";
import { openKeyTable } from "./key-table.ts";
import { Instance } from "./leases.ts";
import type { EmbeddedBusOptions } from "./options.ts";
import { Publisher } from "./publisher.ts";
import { openRefusedTable } from "./refused-table.ts";
import { KeyStore } from "./store.ts";
import { openTimerTable } from "./timers.ts";
import { openWaitTable } from "./wait-table.ts";
import { type Transaction, Writer } from "./writer.ts";

/** The bus in one SQLite file, or in memory. */
export interface EmbeddedBus extends Bus {
  storeId(): Promise<string>;
  /** Ends at once as the death of the process would: nothing is given back, nothing more is written. For tests. */
  abandon(): void;
}

const LEASE_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 500;
const RETRY_WRITE_MILLISECONDS = 1_000;

/**
 * Opens the embedded bus. Several processes may open one file: a command line may read and redrive while a host runs.
 * @throws BusError when the file cannot be opened or made, is damaged, another program's or a newer version's
 */
export function openEmbeddedBus(options: EmbeddedBusOptions): EmbeddedBus {
  const { file, powerCutSafe = false, hook, maximumBytes } = options;
  const database = new Database(file, { powerCutSafe, hook, maximumBytes });
  try {
    return new Embedded(options, database);
  } catch (thrown) {
    database.close();
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
  readonly #instance: Instance;
  readonly #instances: ReturnType<typeof openInstanceTable>;
  readonly #health: Health;
  readonly #history: HistoryTable;
  readonly #alarm: Alarm;
  readonly #counts: () => Awaited<ReturnType<Bus["counts"]>>;
  readonly #listeners: Listeners;
  #cancelPoll: (() => void) | undefined;
  #consuming = false;
  #closed: Promise<void> | undefined;

  constructor(options: EmbeddedBusOptions, database: Database) {
    const { clock, route, types = () => catalogue, log = silent, retry: policy = defaultRetry } = options;
    const listeners = new Listeners(log);
    this.#listeners = listeners;
    this.#clock = clock;
    this.#log = log;
    this.#pollMilliseconds = options.pollMilliseconds ?? POLL_MILLISECONDS;
    this.#database = database;
    const store = new KeyStore(
      openKeyTable(database),
      openTimerTable(database),
      openWaitTable(database),
      () => (database.inMemory ? 0 : database.dataVersion()),
      listeners.waits,
    );
    this.#store = store;
    const history = openHistory(database, options.history ?? defaultHistory, { clock, log });
    this.#history = history;
    this.history = history.queries;
    const refused = openRefusedTable(database);
    const echoes = new EchoMemory(() => database.dataVersion());
    const counts = openCounts(database);
    this.#counts = () => counts(clock.now(), refused.count());
    this.#instances = openInstanceTable(database);
    this.#alarm = new Alarm(clock, () => this.#fire());
    this.#health = new Health(database, clock, log, {
      wake: () => this.#dispatcher.wake(),
      spare: () => history.halve(),
    });
    const writer = new Writer(
      database,
      (transaction) => this.#beforeCommit(transaction),
      (thrown) => this.#health.failed(thrown),
    );
    this.#writer = writer;
    this.#instance = new Instance({
      table: this.#instances,
      writer: () => writer,
      clock,
      log,
      leaseMilliseconds: options.leaseMilliseconds ?? LEASE_MILLISECONDS,
      running: () => this.#dispatcher.running,
      lost: () => this.#dispatcher.loseAll("another process took this one for dead"),
    });
    this.#dispatcher = new Dispatcher({
      store,
      history,
      echoes,
      writer,
      instance: this.#instance,
      clock,
      log,
      policy,
      random: options.random ?? Math.random,
      ran: listeners.ran,
      consumed: (byAny) => this.#consumed(byAny),
      reserve: () => this.#health.reserve(),
    });
    this.#publisher = new Publisher({
      store,
      history,
      refused,
      echoes,
      writer,
      clock,
      route,
      types,
      published: listeners.published,
    });
    const republish = async (text: string): Promise<boolean> =>
      (await this.#publisher.publishText(text)).refused.length === 0;
    this.deadLetters = openDeadLetters({ store, refused, history, writer, clock, republish });
    // Memory has no end that is known, unless one is set.
    if (!database.inMemory || options.maximumBytes !== undefined) this.#health.start();
  }

  async publish(events: readonly Envelope[]): ReturnType<Bus["publish"]> {
    this.#health.check();
    return this.#publisher.publish(events);
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
    const { waiting, running, attempts, waits, deadlines } = this.#store.keys.load(key).state;
    const { behind } = waiting ?? {};
    const backsOff =
      waiting !== undefined &&
      (attempts > 0 || behind !== undefined) &&
      waiting.notBefore > this.#clock.now();
    return {
      waits,
      deadlines,
      attempts,
      waiting: waiting !== undefined,
      running: running !== undefined,
      retryAt: backsOff ? new Date(waiting.notBefore).toISOString() : undefined,
      behind,
    };
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
    return (
      this.#listeners.hearEvents ||
      this.#store.isAwaited(object) ||
      // Another process may run the key, and knows nothing of what this one wrote.
      this.#instances.nextExpiry(this.#instance.id) !== undefined
    );
  }

  ready(): boolean {
    return this.#health.ready;
  }

  async storeId(): Promise<string> {
    return this.#database.prepare("SELECT id FROM birth").get<{ readonly id: string }>()?.id ?? "";
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  abandon(): void {
    this.#closed ??= Promise.resolve();
    this.#dispatcher.abandon();
    this.#history.stop();
    this.#quiet();
    this.#database.close();
  }

  async #close(): Promise<void> {
    await this.#dispatcher.close();
    this.#writer.flush();
    this.#history.flush();
    this.#quiet();
    this.#database.close();
  }

  #quiet(): void {
    this.#consuming = false;
    this.#cancelPoll?.();
    this.#alarm.stop();
    this.#health.stop();
    this.#instance.close();
  }

  #beforeCommit(transaction: Transaction): void {
    if (this.#consuming) this.#dispatcher.takeReady(transaction);
    this.#store.settle(transaction);
    if (this.#consuming && transaction.movedDue) transaction.afterCommit.push(() => this.#setAlarm());
  }

  #setAlarm(): void {
    if (!this.#consuming) return;
    const expiry = this.#instances.nextExpiry(this.#instance.id) ?? Number.POSITIVE_INFINITY;
    this.#alarm.set(Math.min(this.#store.nextDue(), expiry));
  }

  /** Fires due timers, and takes back the items of dead processes. */
  #fire(): void {
    const failed = (thrown: unknown): void => {
      this.#log.error({ error: messageOf(thrown) }, "timers could not fire");
      if (this.#consuming) this.#alarm.set(this.#clock.now() + RETRY_WRITE_MILLISECONDS);
    };
    this.#writer.submit((transaction) => this.#catchUp(transaction)).catch(failed);
  }

  #catchUp(transaction: Transaction): void {
    const now = this.#clock.now();
    this.#store.fire(transaction, now);
    for (const owner of this.#instances.expired(this.#instance.id, this.#instance.identity, now)) {
      this.#dispatcher.giveBackOf(transaction, owner, now);
      this.#instances.remove(owner);
    }
  }

  async #consumed(byAny: boolean): Promise<void> {
    this.#consuming = byAny;
    try {
      if (byAny) {
        await this.#writer.submit((transaction) => {
          this.#instance.register(transaction);
          this.#catchUp(transaction);
        });
        if (!this.#consuming) return;
        this.#dispatcher.wake();
        this.#poll(this.#database.dataVersion());
      } else {
        this.#cancelPoll?.();
        this.#alarm.stop();
        await this.#writer.submit((transaction) => this.#instance.leave(transaction));
      }
    } catch (thrown) {
      this.#log.error(
        { error: messageOf(thrown) },
        byAny
          ? "this host could not be registered with the bus"
          : "this host could not take leave of the bus",
      );
      if (byAny)
        this.#cancelPoll = this.#clock.after(
          RETRY_WRITE_MILLISECONDS,
          () => void this.#consumed(this.#consuming),
        );
    }
  }

  /** Other processes cannot call: whatever they changed shows in the file's version. */
  #poll(seen: number): void {
    if (this.#database.inMemory || !this.#consuming) return;
    this.#cancelPoll = this.#clock.after(this.#pollMilliseconds, () => {
      const version = this.#database.dataVersion();
      if (version !== seen) {
        this.#setAlarm();
        this.#dispatcher.wake();
        this.#listeners.waits(undefined);
      }
      this.#poll(version);
    });
  }
}
