import type { JetStreamManager } from "@nats-io/jetstream";
import type { Msg, Subscription } from "@nats-io/transport-node";
import { systemClock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Consumer, Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import type { WorkKey } from "../item.ts";
import { NatsConsumer, type NatsConsumerParts, type Runs, runName } from "./consumer.ts";
import { type Delivery, handedOver, handOver } from "./delivery.ts";
import type { Names } from "./names.ts";
import type { NatsOptions } from "./options.ts";
import { pause } from "./pause.ts";
import type { RunParts } from "./run-parts.ts";
import { Solitude } from "./solitude.ts";
import { ensureConsumers } from "./streams.ts";
import { statusOf, Unsure, type Wire } from "./wire.ts";

const LOOK_MILLISECONDS = 500;
const HAND_OVER_MILLISECONDS = 500;
/** An owner that did not answer is not asked again for this long. */
const SILENT_MILLISECONDS = 1_000;
const NOBODY_MILLISECONDS = 2_000;
const SET_UP_AGAIN_MILLISECONDS = 1_000;
/** What is due later is left to the server's hint. */
const SOON_MILLISECONDS = 60_000;
/** A run that others have joined says so in its record after this: most have ended by then. */
const JOINED_MILLISECONDS = 20;
const MOST_ALARMS = 10_000;

export interface WorkerParts {
  readonly wire: Wire;
  readonly names: Names;
  readonly options: NatsOptions;
  readonly manager: JetStreamManager;
  readonly functions: readonly string[];
  /** A consumer does not answer as it should. */
  readonly refused: () => void;
  readonly runParts: Omit<RunParts, "delegate" | "wakeAt" | "solitude">;
}

/** Runs what this process takes: the side of the bus that a worker uses. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #runParts: RunParts;
  readonly #runs: Runs = new Map();
  readonly #slots = new Set<NatsConsumer>();
  readonly #open = new Map<string, Subscription>();
  readonly #silent = new Map<string, number>();
  readonly #alarms = new Map<string, () => void>();
  #numbers = 0;
  #cancelLook: (() => void) | undefined;
  #cancelJoined: (() => void) | undefined;
  #closed = false;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#runParts = {
      ...parts.runParts,
      delegate: (delivery, owner) => this.#delegate(delivery, owner),
      solitude: new Solitude({
        opened: () => {
          for (const slots of this.#slots) slots.look();
        },
        joined: () => {
          this.#cancelJoined ??= systemClock.after(JOINED_MILLISECONDS, () => {
            this.#cancelJoined = undefined;
            this.#renew();
          });
        },
      }),
      wakeAt: (key, recordId, due) => this.#wakeAt(key, recordId, due),
    };
  }

  consume(
    options: { readonly parallel: number; readonly functions?: readonly string[] | undefined },
    work: Work,
  ): Consumer {
    const functions = options.functions ?? this.#parts.functions;
    const { wire, names } = this.#parts;
    const consumerParts: NatsConsumerParts = {
      wire,
      names,
      acknowledge: this.#runParts.acknowledge,
      log: this.#runParts.log,
      runs: this.#runs,
      refused: this.#parts.refused,
      runParts: this.#runParts,
      nextNumber: () => {
        this.#numbers += 1;
        return this.#numbers;
      },
      ended: (slots) => this.#slots.delete(slots),
    };
    const slots = new NatsConsumer({ parallel: options.parallel, functions }, work, consumerParts);
    this.#slots.add(slots);
    this.#closing.add(slots);
    for (const name of functions) void this.#begin(slots, name);
    this.#keepLooking();
    return slots;
  }
  /** All there ever were: their subscriptions live as long as this process, to give back what still arrives. */
  readonly #closing = new Set<NatsConsumer>();

  /** How many keys of each function that it takes run here. */
  running(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const slots of this.#slots)
      for (const name of slots.functions) counts.set(name, counts.get(name) ?? 0);
    for (const { key, runs } of this.#runs.values())
      if (runs) counts.set(key.function, (counts.get(key.function) ?? 0) + 1);
    return counts;
  }

  reconnected(): void {
    for (const slots of this.#slots) slots.askAgain();
  }

  /** The streams were made anew, without consumers. */
  replaced(): void {
    for (const slots of this.#slots) for (const name of slots.functions) void this.#begin(slots, name);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots].map((slots) => slots.stop(0)));
    this.#end();
  }

  abandon(): void {
    for (const slots of this.#slots) slots.abandon();
    this.#end();
  }

  #end(): void {
    this.#closed = true;
    this.#cancelLook?.();
    this.#cancelJoined?.();
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
    for (const slots of this.#closing) slots.close();
    for (const subscription of this.#open.values()) subscription.unsubscribe();
  }

  async #begin(slots: NatsConsumer, name: string): Promise<void> {
    const { manager, names, options, wire } = this.#parts;
    const { log, host } = this.#runParts;
    for (let told = false; !this.#closed && !slots.stopping; )
      try {
        await ensureConsumers(manager, names, options, name);
        if (!this.#open.has(name))
          this.#open.set(
            name,
            wire.connection.subscribe(names.host(names.function(name), host), {
              callback: (error, message) => {
                if (error === null) this.#handedOver(message);
              },
            }),
          );
        slots.open(name);
        return;
      } catch (thrown) {
        if (this.#closed) return;
        const level = thrown instanceof BusError && !told ? "error" : "debug";
        told = true;
        log[level]({ function: name, error: messageOf(thrown) }, "items of a function cannot be taken yet");
        await pause(SET_UP_AGAIN_MILLISECONDS);
      }
  }

  /** True: the owner has it, or it waits. False: the owner does not run the key. */
  async #delegate(delivery: Delivery, owner: string): Promise<boolean> {
    const { wire, names } = this.#parts;
    const { acknowledge, random } = this.#runParts;
    const later = (): true => {
      acknowledge.back(delivery, NOBODY_MILLISECONDS * (1 + random() / 2));
      return true;
    };
    if ((this.#silent.get(owner) ?? 0) > performance.now()) return later();
    const { payload, headers } = handOver(delivery);
    try {
      const answer = await wire.request(names.host(delivery.key.function, owner), payload, {
        headers,
        milliseconds: HAND_OVER_MILLISECONDS,
      });
      if (statusOf(answer) === 0) return answer.string() === "taken";
    } catch (thrown) {
      if (!(thrown instanceof Unsure)) throw thrown;
    }
    if (this.#silent.size > MOST_ALARMS) this.#silent.clear();
    this.#silent.set(owner, performance.now() + SILENT_MILLISECONDS);
    return later();
  }

  #handedOver(message: Msg): void {
    try {
      const delivery = handedOver(message);
      const run = this.#runs.get(runName(delivery.key));
      run?.add(delivery);
      message.respond(run === undefined ? "gone" : "taken");
    } catch (thrown) {
      this.#runParts.log.error(
        { error: messageOf(thrown) },
        "an item that another host handed over cannot be read",
      );
    }
  }

  /** This host remembers what it left behind, so that a retry is in time; the server's hint is for when it dies. */
  #wakeAt(key: WorkKey, recordId: string, due: number): void {
    const { clock } = this.#runParts;
    const name = runName(key);
    this.#alarms.get(name)?.();
    this.#alarms.delete(name);
    const milliseconds = Math.max(0, due - clock.now());
    if (milliseconds > SOON_MILLISECONDS || this.#alarms.size >= MOST_ALARMS || this.#closed) return;
    this.#alarms.set(
      name,
      clock.after(milliseconds, () => {
        this.#alarms.delete(name);
        const slots = [...this.#slots].find((one) => !one.stopping && one.functions.includes(key.function));
        slots?.take({
          key,
          sort: "due",
          subject: "",
          seq: 0,
          ack: "",
          recordId,
          arrivedAt: performance.now(),
        });
      }),
    );
  }

  #renew(): void {
    for (const run of this.#runs.values())
      if (run.runs)
        run.renew().catch((thrown: unknown) => {
          this.#runParts.log.warn({ error: messageOf(thrown) }, "a lease could not be renewed");
        });
  }

  #keepLooking(): void {
    if (this.#cancelLook !== undefined || this.#closed) return;
    this.#cancelLook = systemClock.after(LOOK_MILLISECONDS, () => {
      this.#cancelLook = undefined;
      this.#renew();
      for (const slots of this.#slots) slots.look();
      if (this.#slots.size > 0) this.#keepLooking();
    });
  }
}
