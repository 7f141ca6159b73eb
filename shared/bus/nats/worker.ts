import type { JetStreamManager } from "@nats-io/jetstream";
import type { Subscription } from "@nats-io/transport-node";
import { systemClock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Consumer, Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import { Alarms } from "./alarms.ts";
import { NatsConsumer } from "./consumer.ts";
import type { Reminder } from "./delivery.ts";
import { KeyRuns } from "./key-runs.ts";
import type { Names } from "./names.ts";
import type { NatsOptions } from "./options.ts";
import { OtherHosts } from "./other-hosts.ts";
import { pause } from "./pause.ts";
import type { RunParts } from "./run-parts.ts";
import { ensureConsumers } from "./streams.ts";
import type { Wire } from "./wire.ts";

const LOOK_MILLISECONDS = 500;
const SET_UP_AGAIN_MILLISECONDS = 1_000;

export interface WorkerParts {
  readonly wire: Wire;
  readonly names: Names;
  readonly options: NatsOptions;
  readonly manager: JetStreamManager;
  readonly functions: readonly string[];
  /** A consumer does not answer as it should. */
  readonly refused: () => void;
  readonly runParts: Omit<RunParts, "others" | "alarms" | "solitude">;
}

/** Runs what this process takes: the side of the bus that a worker uses. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #others: OtherHosts;
  readonly #alarms: Alarms;
  readonly #runs: KeyRuns;
  readonly #consumers = new Set<NatsConsumer>();
  /** All there ever were: their subscriptions live as long as this process, to give back what still arrives. */
  readonly #closing = new Set<NatsConsumer>();
  readonly #open = new Map<string, Subscription>();
  #numbers = 0;
  /** The number of functions whose consumers are being looked for or made. */
  #beginning = 0;
  #cancelLook: (() => void) | undefined;
  #closed = false;

  constructor(parts: WorkerParts) {
    const { wire, names, runParts } = parts;
    this.#parts = parts;
    this.#others = new OtherHosts({ wire, names, ...runParts });
    this.#alarms = new Alarms(runParts.clock, (reminder) => this.#remind(reminder));
    this.#runs = new KeyRuns({ ...runParts, others: this.#others, alarms: this.#alarms }, () => {
      for (const consumer of this.#consumers) consumer.look();
    });
  }

  consume(
    options: { readonly parallel: number; readonly functions?: readonly string[] | undefined },
    work: Work,
  ): Consumer {
    const functions = options.functions ?? this.#parts.functions;
    const { wire, names, refused, runParts } = this.#parts;
    const { acknowledge, clock, log } = runParts;
    const consumer = new NatsConsumer({ parallel: options.parallel, functions }, work, {
      wire,
      names,
      acknowledge,
      clock,
      log,
      runs: this.#runs,
      refused,
      nextNumber: () => {
        this.#numbers += 1;
        return this.#numbers;
      },
      ended: (ended) => this.#consumers.delete(ended),
    });
    this.#consumers.add(consumer);
    this.#closing.add(consumer);
    for (const name of functions) void this.#begin(consumer, name);
    this.#keepLooking();
    return consumer;
  }

  /** The number of running keys here, of each function that it takes. */
  running(): ReadonlyMap<string, number> {
    const taken = [...this.#consumers].flatMap(({ functions }) => functions);
    return new Map([...taken.map((name) => [name, 0] as const), ...this.#runs.counts()]);
  }

  /** The number of functions that it is about to take: their consumers are not known to be there yet. */
  get beginning(): number {
    return this.#beginning;
  }

  reconnected(): void {
    for (const consumer of this.#consumers) consumer.askAgain();
  }

  /** The streams were made anew, without consumers. */
  replaced(): void {
    for (const consumer of this.#consumers)
      for (const name of consumer.functions) void this.#begin(consumer, name);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop(0)));
    this.#end();
  }

  abandon(): void {
    for (const consumer of this.#consumers) consumer.abandon();
    this.#end();
  }

  #end(): void {
    this.#closed = true;
    this.#cancelLook?.();
    this.#runs.close();
    this.#alarms.close();
    for (const consumer of this.#closing) consumer.close();
    for (const subscription of this.#open.values()) subscription.unsubscribe();
  }

  async #begin(consumer: NatsConsumer, name: string): Promise<void> {
    this.#beginning += 1;
    await this.#openOnceThere(consumer, name).finally(() => {
      this.#beginning -= 1;
    });
  }

  async #openOnceThere(consumer: NatsConsumer, name: string): Promise<void> {
    const { manager, names, options, runParts } = this.#parts;
    for (let told = false; !this.#closed && !consumer.stopping; )
      try {
        await ensureConsumers(manager, names, options, name);
        if (!this.#open.has(name))
          this.#open.set(
            name,
            this.#others.hear(name, (delivery) => this.#runs.add(delivery)),
          );
        consumer.open(name);
        return;
      } catch (thrown) {
        if (this.#closed) return;
        const level = thrown instanceof BusError && !told ? "error" : "debug";
        told = true;
        runParts.log[level](
          { function: name, error: messageOf(thrown) },
          "items of a function cannot be taken yet",
        );
        await pause(SET_UP_AGAIN_MILLISECONDS);
      }
  }

  #remind(reminder: Reminder): void {
    const { function: name } = reminder.key;
    const taker = [...this.#consumers].find((one) => !one.stopping && one.functions.includes(name));
    taker?.take(reminder);
  }

  #keepLooking(): void {
    if (this.#cancelLook !== undefined || this.#closed) return;
    this.#cancelLook = systemClock.after(LOOK_MILLISECONDS, () => {
      this.#cancelLook = undefined;
      this.#runs.renew();
      for (const consumer of this.#consumers) consumer.look();
      if (this.#consumers.size > 0) this.#keepLooking();
    });
  }
}
