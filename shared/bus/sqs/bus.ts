import type { SQSClient } from "@aws-sdk/client-sqs";
import { catalogue, type Envelope, type EventDefinition } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf as textOf } from "../../errors.ts";
import { type Log, silent } from "../../log/log.ts";
import { bounded } from "../bounded.ts";
import type { Bus, BusListener, Consumer, Route, Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import type { NewItem, WorkKey } from "../item.ts";
import { Listeners } from "../listeners.ts";
import { defaultRetry, type RetryPolicy } from "../retry.ts";
import { mergeWaiting } from "../waiting.ts";
import type { BatchParts, KeyBatch } from "./batch.ts";
import { schedulerClient, sqsClient, tableClient } from "./clients.ts";
import { SqsConsumer } from "./consumer.ts";
import { countAll } from "./counts.ts";
import { DeadLetters } from "./dead-letters.ts";
import type { DistantTimers } from "./distant-timers.ts";
import { DynamoStateStore } from "./dynamo/index.ts";
import { guardedStore } from "./guarded-store.ts";
import { Health } from "./health.ts";
import { runInvocation } from "./invocation.ts";
import { KeyRuns } from "./key-runs.ts";
import { type Delivery, deathsOf, deduplicationIdOf, isNewer, MAXIMUM_BYTES } from "./message.ts";
import type { SqsOptions } from "./options.ts";
import { Outbox } from "./outbox.ts";
import { Publisher } from "./publisher.ts";
import { Queues } from "./queues.ts";
import { KeyRecords } from "./records.ts";
import { SchedulerTimers } from "./scheduler-timers.ts";
import type { StateStore } from "./store.ts";
import { Timers } from "./timers.ts";
import { WaitNews } from "./wait-news.ts";

/** The options of the bus besides its configuration. */
export interface SqsBusOptions extends SqsOptions {
  readonly route: Route;
  /** The event types that are known; others are refused. Default: the catalogue. */
  readonly types?: (() => ReadonlyMap<string, EventDefinition>) | undefined;
  /** The names of all functions: each has a work queue. */
  readonly functions: readonly string[];
  readonly clock: Clock;
  readonly log?: Log | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** A number from 0 up to 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
  /** Default: the table that the options name. */
  readonly store?: StateStore | undefined;
  /** Default: the scheduler that the options name; without one, distant timers hop on the timer queue. */
  readonly distant?: DistantTimers | undefined;
  /** The pause before a worker asks again where its requests do not wait (`waitSeconds` 0). Default 1 s. */
  readonly pollMilliseconds?: number | undefined;
  /** Default: one from region, endpoint and what the SDK finds. */
  readonly client?: SQSClient | undefined;
}

const POLL_MILLISECONDS = 1_000;
const DAY = 24 * 3_600_000;

/** The bus on SQS. Workers `consume`; Lambda's handlers hand in what they were called with. */
export interface SqsBus extends Bus {
  /**
   * Runs the messages of a work queue that somebody else received: keys side by side, of each key the newest with the causes of
   * all. What cannot be run because the table or a queue fails goes back, and counts as no attempt.
   * @param until milliseconds since the epoch: by then everything has to be over
   * @returns those that must come again; all others may be forgotten
   * @throws BusError where none could be run, so that the invocation counts as failed
   */
  deliver(
    deliveries: readonly Delivery[],
    work: Work,
    options: { readonly until: number },
  ): Promise<readonly Delivery[]>;
  /** Takes messages of the timer queue. Returns those that must come again. Never rejects. */
  fire(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  /** Makes the consumers in this process ask the queues now rather than with the next turn. */
  look(): void;
  /** Ends at once as the death of the process would: nothing is given back, nothing more is sent. For tests. */
  abandon(): void;
}

/** Opens the bus. Nothing is asked of AWS before it is used; what it refuses then is a `BusError`. */
export const openSqsBus = (options: SqsBusOptions): SqsBus => new OnSqs(options);

class OnSqs implements SqsBus {
  readonly deadLetters: Bus["deadLetters"];
  readonly history: Bus["history"];
  readonly #options: SqsBusOptions;
  readonly #log: Log;
  readonly #health = new Health();
  /** Clients that were made here end with it. */
  readonly #own: { destroy(): void }[] = [];
  readonly #queues: Queues;
  readonly #store: StateStore;
  readonly #outbox: Outbox;
  readonly #publisher: Publisher;
  readonly #runs: KeyRuns;
  readonly #timers: Timers;
  readonly #batch: BatchParts;
  readonly #pollers = new Set<SqsConsumer>();
  readonly #listeners: Listeners;
  readonly #waitNews: WaitNews;

  constructor(options: SqsBusOptions) {
    const { clock, route, types = () => catalogue, log = silent, functions } = options;
    const listeners = new Listeners(log);
    this.#listeners = listeners;
    const { retry: policy = defaultRetry, random = Math.random } = options;
    const historyMilliseconds = options.historyDays * DAY;
    this.#options = options;
    this.#log = log;
    this.#queues = new Queues(options.client ?? this.#queueClient(), options, this.#health);
    const queues = this.#queues;
    const store = guardedStore(options.store ?? this.#table(), this.#health);
    this.#store = store;
    this.#waitNews = new WaitNews({ store, clock, log, tell: listeners.waits });
    const { shortQueue, distant = this.#scheduler() } = options;
    this.#outbox = new Outbox({ queues, distant, clock, shortQueue, sent: () => this.look() });
    const outbox = this.#outbox;
    const records = new KeyRecords({ store, outbox, clock });
    const republish = (text: string): Promise<boolean> => this.#republish(text);
    const letters = new DeadLetters({
      store,
      records,
      outbox,
      clock,
      log,
      functions,
      historyMilliseconds,
      republish,
    });
    this.#timers = new Timers({ store, records, outbox, letters, clock, log });
    this.#runs = new KeyRuns({
      store,
      records,
      outbox,
      clock,
      log,
      policy,
      random,
      historyMilliseconds,
      ran: listeners.ran,
    });
    this.#batch = { runs: this.#runs, letters, clock, log };
    this.#publisher = new Publisher({
      store,
      letters,
      outbox,
      clock,
      route,
      types,
      historyMilliseconds,
      published: listeners.published,
    });
    this.deadLetters = letters.asked;
    this.history = store.history;
  }

  publish(events: readonly Envelope[]): ReturnType<Bus["publish"]> {
    return this.#publisher.publish(events);
  }

  enqueue(items: readonly NewItem[]): Promise<void> {
    return this.#publisher.enqueue(items);
  }

  consume(
    { parallel, functions = this.#options.functions }: Parameters<Bus["consume"]>[0],
    work: Work,
  ): Consumer {
    const { leaseSeconds, waitSeconds, workQueue, pollMilliseconds = POLL_MILLISECONDS } = this.#options;
    if (
      !workQueue.includes("{function}") &&
      this.#options.functions.some((name) => !functions.includes(name))
    )
      throw new BusError(
        "BUS_MISCONFIGURED",
        "All functions share one work queue, so a worker has to run all of them: put {function} into the address, or name no functions.",
      );
    const urls = functions.map((name) => this.#queues.of(name));
    const parts = {
      ...this.#batch,
      queues: this.#queues,
      functions,
      timers: this.#timers,
      leaseSeconds,
      waitSeconds,
      pollMilliseconds,
      giveBack: (batch: KeyBatch) => this.#giveBack(batch),
      stopped: (stopped: SqsConsumer) => void this.#pollers.delete(stopped),
    };
    const poller = new SqsConsumer(parts, urls, parallel, work);
    this.#pollers.add(poller);
    return poller;
  }

  deliver(
    deliveries: readonly Delivery[],
    work: Work,
    { until }: { readonly until: number },
  ): Promise<readonly Delivery[]> {
    const giveBack = (batch: KeyBatch): Promise<void> => this.#giveBack(batch);
    return runInvocation({ ...this.#batch, queues: this.#queues, giveBack }, deliveries, work, until);
  }

  fire(deliveries: readonly Delivery[]): Promise<readonly Delivery[]> {
    return this.#timers.fire(deliveries);
  }

  look(): void {
    for (const poller of this.#pollers) poller.look();
  }

  async pending(key: WorkKey): ReturnType<Bus["pending"]> {
    const record = (await this.#store.load(key))?.record;
    const retryAt = record?.waiting?.notBefore;
    return {
      waits: record?.waits ?? [],
      deadlines: record?.deadlines ?? {},
      behind: record?.waiting?.behind,
      attempts: record?.attempts ?? 0,
      retryAt: retryAt === undefined || retryAt === 0 ? undefined : new Date(retryAt).toISOString(),
      // A queue does not tell what it holds.
      waiting: false,
      running: this.#runs.isRunning(key),
    };
  }

  counts(): ReturnType<Bus["counts"]> {
    return countAll({ store: this.#store, queues: this.#queues }, this.#options.functions);
  }

  waits(): ReturnType<Bus["waits"]> {
    return this.#waitNews.ask();
  }

  subscribe(listener: BusListener): () => void {
    if (listener.waits !== undefined) this.#waitNews.listen();
    return this.#listeners.add(listener);
  }

  ready(): boolean {
    return this.#health.ready;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pollers].map((poller) => poller.stop(0)));
    this.#quiet();
  }

  abandon(): void {
    for (const poller of this.#pollers) poller.abandon();
    this.#quiet();
  }

  #quiet(): void {
    this.#waitNews.close();
    this.#health.close();
    for (const client of this.#own) client.destroy();
  }

  #table(): StateStore {
    const { table, historyDays, clock } = this.#options;
    const client = tableClient(this.#options);
    this.#own.push(client);
    return new DynamoStateStore({ client, table, clock, historyDays });
  }

  #scheduler(): DistantTimers | undefined {
    const { scheduler } = this.#options;
    if (scheduler === undefined) return undefined;
    const client = schedulerClient(this.#options);
    this.#own.push(client);
    return new SchedulerTimers(client, scheduler);
  }

  #queueClient(): SQSClient {
    const client = sqsClient(this.#options);
    this.#own.push(client);
    return client;
  }

  async #republish(text: string): Promise<boolean> {
    let input: unknown;
    try {
      input = JSON.parse(text);
    } catch (thrown) {
      this.#log.warn({ error: textOf(thrown) }, "a refused event is no JSON");
      return false;
    }
    return this.#publisher.publishAgain(input);
  }

  /**
   * Gives back received items that were not run: as messages of their own, so that deliveries which nobody ran count as no death.
   * The deaths before stay.
   */
  async #giveBack({ deliveries, arrivals }: KeyBatch): Promise<void> {
    const [first] = arrivals;
    if (first === undefined) return;
    const { function: name, key } = first.work;
    const why = deliveries.map(({ id, receives }) => [id, receives]);
    // As it came: what this version does not know of it stays.
    if (arrivals.some(({ work }) => isNewer(work)))
      return this.#queues.send(
        arrivals.map(({ work }, index) => ({
          work,
          deduplicationId: deduplicationIdOf(work, "returned", index, why),
        })),
      );
    const told = arrivals.flatMap(({ work }) => work.waiting ?? []);
    const waiting = told.length === 0 ? undefined : bounded(told.reduce(mergeWaiting), MAXIMUM_BYTES);
    const eras = arrivals.flatMap(({ work }) => work.era ?? []);
    const deaths = deathsOf(arrivals);
    const work = {
      function: name,
      key,
      waiting,
      era: eras.length === 0 ? undefined : Math.max(...eras),
      ...(deaths > 0 && { deaths }),
    };
    await this.#queues.send([{ work, deduplicationId: deduplicationIdOf(work, "returned", why) }]);
  }
}
