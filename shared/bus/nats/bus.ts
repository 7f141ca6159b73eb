import { randomBytes } from "node:crypto";
import { jetstreamManager } from "@nats-io/jetstream";
import { createInbox, type NatsConnection, PermissionViolationError } from "@nats-io/transport-node";
import { catalogue } from "../../../events/index.ts";
import { type Clock, systemClock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import { type Log, silent } from "../../log/log.ts";
import type { Bus, BusListener, Consumer, History, Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import type { NewItem, WorkKey } from "../item.ts";
import { Listeners } from "../listeners.ts";
import { defaultRetry } from "../retry.ts";
import { connectTo } from "./connect.ts";
import { openCounts } from "./counts.ts";
import { openDeadLetters } from "./dead-letters.ts";
import { Acknowledger } from "./delivery.ts";
import { Foreign } from "./foreign.ts";
import { Health, storeIdOf } from "./health.ts";
import { HistoryReader, HistoryWriter } from "./history.ts";
import { Janitor } from "./janitor.ts";
import { LastKnown } from "./last-known.ts";
import { Names } from "./names.ts";
import type { NatsBusOptions } from "./options.ts";
import { Publisher } from "./publisher.ts";
import { StateStore } from "./store.ts";
import { ensureConsumers, ensureStreams } from "./streams.ts";
import { ToldEvents } from "./told-events.ts";
import { WaitIndex } from "./wait-index.ts";
import { WaitNews } from "./wait-news.ts";
import { Wire } from "./wire.ts";
import { newsOf } from "./work-message.ts";
import { WorkStore } from "./work-store.ts";
import { Worker } from "./worker.ts";

/** The bus on NATS JetStream. */
export interface NatsBus extends Bus {
  /** Names this process among the hosts of the installation. New with every opening. */
  readonly host: string;
  /** Messages in and out so far, and how many requests are not answered yet; a function that it begins to take is one. */
  traffic(): { readonly messages: number; readonly unanswered: number };
  /** Ends at once as the death of the process would: nothing is given back, nothing more is written. For tests. */
  abandon(): void;
}

/**
 * Connects, makes what is missing on the server, and opens the bus. One bus serves every role: a watcher publishes and never
 * consumes, a worker consumes the functions that it names, a command line reads.
 * @throws BusError when the servers cannot be reached, are too old, or are not as they must be
 */
export async function openNatsBus(options: NatsBusOptions): Promise<NatsBus> {
  const names = new Names(options.nats.prefix);
  for (const name of options.functions) names.function(name);
  const connection = await connectTo(options.nats, options.name ?? "reveille");
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await ensureStreams(manager, names, options.nats);
    const storeId = await storeIdOf(manager, names);
    return new OpenNatsBus(options, names, connection, manager, storeId);
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
}

class OpenNatsBus implements NatsBus {
  readonly deadLetters: Bus["deadLetters"];
  readonly history: History;
  readonly counts: Bus["counts"];
  readonly host = randomBytes(9).toString("base64url");
  readonly #connection: NatsConnection;
  readonly #names: Names;
  readonly #manager: Awaited<ReturnType<typeof jetstreamManager>>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #wire: Wire;
  readonly #states: StateStore;
  readonly #work: WorkStore;
  readonly #publisher: Publisher;
  readonly #worker: Worker;
  readonly #health: Health;
  readonly #listeners: Listeners;
  readonly #waits: WaitIndex;
  readonly #waitNews: WaitNews;
  readonly #janitor: Janitor | undefined;
  readonly #ensureConsumers: () => Promise<void>;
  #consumersMade: boolean;
  readonly #told = new Set<string>();
  #closed: Promise<void> | undefined;

  constructor(
    options: NatsBusOptions,
    names: Names,
    connection: NatsConnection,
    manager: Awaited<ReturnType<typeof jetstreamManager>>,
    storeId: string,
  ) {
    const { nats, route, types = () => catalogue, clock = systemClock, log = silent } = options;
    const listeners = new Listeners(log);
    this.#listeners = listeners;
    this.#connection = connection;
    this.#names = names;
    this.#manager = manager;
    this.#clock = clock;
    this.#log = log;
    const wire = new Wire(connection, createInbox(nats.inbox ?? "_INBOX"));
    this.#wire = wire;
    const foreign = new Foreign(log);
    const states = new StateStore(wire, names, nats.leaseMilliseconds, foreign.met);
    this.#states = states;
    const work = new WorkStore(wire, names, clock, foreign);
    this.#work = work;
    const waits = new WaitIndex(wire, names, foreign, clock);
    this.#waits = waits;
    this.#waitNews = new WaitNews(connection, names, listeners.waits);
    const told = new ToldEvents(wire, names);
    const known = new LastKnown();
    this.#health = new Health({
      manager,
      names,
      options: nats,
      log,
      storeId,
      replaced: () => {
        known.clear();
        waits.forget();
        this.#publisher.forget();
        this.#worker.replaced();
        if (nats.setUp && this.#consumersMade) {
          this.#consumersMade = false;
          this.#makeConsumers();
        }
        listeners.replaced();
        this.#waitNews.missed();
      },
    });
    const history = new HistoryWriter(wire, names, clock, log);
    this.history = new HistoryReader(wire, names, clock, nats.history);
    this.#publisher = new Publisher({
      work,
      states,
      waits,
      history,
      clock,
      route,
      types,
      log,
      published: listeners.published,
    });
    this.deadLetters = openDeadLetters({
      states,
      work,
      history,
      clock,
      republish: async (text) => (await this.#publisher.publishText(text)).refused.length === 0,
    });
    this.#worker = new Worker({
      wire,
      names,
      options: nats,
      manager,
      functions: options.functions,
      refused: () => this.#health.doubt(),
      runParts: {
        host: this.host,
        states,
        work,
        waits,
        told,
        history,
        acknowledge: new Acknowledger(connection),
        known,
        clock,
        log,
        policy: options.retry ?? defaultRetry,
        random: options.random ?? Math.random,
        leaseMilliseconds: nats.leaseMilliseconds,
        ran: listeners.ran,
      },
    });
    this.counts = openCounts({ wire, names, manager, states, clock, running: () => this.#worker.running() });
    this.#consumersMade = !nats.setUp;
    this.#ensureConsumers = async () => {
      for (const name of options.functions) await ensureConsumers(manager, names, nats, name);
    };
    if (nats.replicas === 1 && options.cleans !== false)
      this.#janitor = new Janitor({ manager, wire, names, log, clock: systemClock }, options.functions);
    this.#janitor?.look();
    // Before anything is published too: commands come from elsewhere, and their worker may not make a consumer.
    if (options.cleans === true) this.#makeConsumers();
    void this.#watchConnection();
  }

  publish(events: Parameters<Bus["publish"]>[0]): ReturnType<Bus["publish"]> {
    this.#makeConsumers();
    return this.#durably(() => this.#publisher.publish(events));
  }

  enqueue(items: readonly NewItem[]): Promise<void> {
    return this.#durably(() => this.#work.enqueue(items));
  }

  consume(options: Parameters<Bus["consume"]>[0], work: Work): Consumer {
    if (this.#closed !== undefined) throw closed();
    return this.#worker.consume(options, work);
  }

  async pending(key: WorkKey): ReturnType<Bus["pending"]> {
    const [known, urgent, sweep] = await Promise.all([
      this.#states.get(key),
      this.#work.waiting(key, "urgent"),
      this.#work.waiting(key, "sweep"),
    ]);
    const state = known?.record.state;
    const covered = known?.record.covered ?? {};
    const news = [
      urgent === undefined ? undefined : newsOf(urgent.message, urgent.seq, covered.urgent ?? 0),
      sweep === undefined ? undefined : newsOf(sweep.message, sweep.seq, covered.sweep ?? 0),
    ].some((waiting) => waiting !== undefined);
    const waiting = state?.waiting;
    const { behind } = waiting ?? {};
    const backsOff =
      waiting !== undefined &&
      ((state?.attempts ?? 0) > 0 || behind !== undefined) &&
      waiting.notBefore > this.#clock.now();
    return {
      waits: state?.waits ?? [],
      deadlines: state?.deadlines ?? {},
      attempts: state?.attempts ?? 0,
      waiting: waiting !== undefined || news,
      running: state?.running !== undefined,
      retryAt: backsOff ? new Date(waiting.notBefore).toISOString() : undefined,
      behind,
    };
  }

  traffic(): { readonly messages: number; readonly unanswered: number } {
    const { inMsgs, outMsgs } = this.#connection.stats();
    return { messages: inMsgs + outMsgs, unanswered: this.#wire.unanswered + this.#worker.beginning };
  }

  waits(): ReturnType<Bus["waits"]> {
    return this.#waits.followed();
  }

  subscribe(listener: BusListener): () => void {
    if (listener.waits !== undefined) this.#waitNews.listen();
    return this.#listeners.add(listener);
  }

  ready(): boolean {
    return this.#health.connected && this.#health.durable && !this.#work.full && this.#closed === undefined;
  }

  storeId(): Promise<string> {
    return storeIdOf(this.#manager, this.#names);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  abandon(): void {
    this.#closed ??= Promise.resolve();
    this.#health.close();
    this.#janitor?.close();
    this.#worker.abandon();
    this.#wire.close();
    void this.#connection.close();
  }

  async #close(): Promise<void> {
    this.#health.close();
    this.#janitor?.close();
    await this.#worker.close();
    this.#wire.close();
    // What was acknowledged last must leave this process.
    await this.#connection.drain().catch((thrown: unknown) => {
      this.#log.debug({ error: messageOf(thrown) }, "nothing can be sent to NATS any more");
    });
    // Of a server that is away it would ask for ever whether it is back.
    await this.#connection.close();
  }

  /**
   * Makes the consumers, for a publisher too: an autoscaler that scales workers by their backlog must find them before there is a
   * worker.
   */
  #makeConsumers(): void {
    if (this.#consumersMade) return;
    this.#consumersMade = true;
    this.#ensureConsumers().catch((thrown: unknown) => {
      this.#log.debug({ error: messageOf(thrown) }, "the consumers are left to the workers");
    });
  }

  async #durably<T>(write: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw closed();
    try {
      const done = await write();
      this.#health.durable = true;
      return done;
    } catch (thrown) {
      if (thrown instanceof BusError) {
        this.#health.durable = false;
        // What is full is all there.
        if (thrown.code !== "BUS_FULL") this.#health.doubt();
      }
      throw thrown;
    }
  }

  async #watchConnection(): Promise<void> {
    for await (const status of this.#connection.status())
      switch (status.type) {
        case "disconnect":
          this.#health.connected = false;
          this.#log.warn({ server: status.server }, "the connection to NATS is lost; it is tried again");
          break;
        case "reconnect":
          this.#health.connected = true;
          this.#log.info({ server: status.server }, "connected to NATS again");
          this.#worker.reconnected();
          this.#waitNews.missed();
          this.#health.doubt();
          this.#janitor?.look();
          break;
        case "error": {
          const { error } = status;
          if (error instanceof PermissionViolationError && error.operation === "publish")
            this.#wire.forbid(error.subject);
          // Each once: what this user may not do it may not do the next time either.
          const text = messageOf(error);
          this.#log[this.#told.has(text) ? "debug" : "error"]({ error: text }, "NATS refused something");
          this.#told.add(text);
          break;
        }
      }
  }
}

const closed = (): BusError => new BusError("BUS_CLOSED", "The bus is closed: open it again.");
