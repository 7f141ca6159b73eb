import { randomUUID } from "node:crypto";
import type { Clock } from "../../../../../shared/clock/clock.ts";
import { messageOf } from "../../../../../shared/errors.ts";
import type { Log } from "../../../../../shared/log/log.ts";
import {
  anythingFor,
  type Change,
  delivered,
  failed,
  firstOf,
  keyOf,
  LONGEST_RETRY,
  pauseAfter,
  seenAt,
  type Waiting,
} from "../told/index.ts";
import type { WaitingFolder } from "./folder.ts";
import type { Send } from "./sender.ts";

export interface TellerOptions {
  readonly folder: WaitingFolder;
  readonly send: Send;
  /** The manager that is told that it is alive. */
  readonly manager: string;
  readonly beat: number;
  readonly clock: Clock;
  readonly log: Log;
  /** A source of numbers from 0 up to 1; absent: Math.random. */
  readonly random?: () => number;
}

/** The deliveries in a row that a manager did not take, and the time at which it is tried again. */
interface Held {
  readonly failures: number;
  readonly until: number;
}

/**
 * Tells the control plane what waits, one after the other, and that it is alive. A manager that takes nothing is tried with one thing at a
 * time, ever more seldom, so that what others are to be told does not wait behind it. Each delivery has a name of its own, made of this process's and
 * a number: one that is tried again has the same.
 */
export class Teller {
  readonly #options: TellerOptions;
  readonly #process = randomUUID();
  #number = 0;
  /** The signs of life so far, and the last one that the control plane answered. */
  #beats = 0;
  #answered = 0;
  #working: Promise<void> | undefined;
  #cancel: () => void = () => undefined;
  #nextBeat: number;
  #stopped = false;
  #silent = false;
  readonly #held = new Map<string, Held>();
  delivered = 0;
  failed = 0;

  constructor(options: TellerOptions) {
    this.#options = options;
    this.#nextBeat = options.clock.now();
  }

  /** Begins: first that whatever changed while nobody looked may be new. */
  start(): void {
    this.tell(anythingFor(this.#options.manager));
  }

  /** Takes a change to be told; it is kept when this returns, on the disk if that has room. */
  tell(change: Change): void {
    const { folder, clock } = this.#options;
    const { manager: own } = this.#options;
    const isOneTooMany = change.manager !== own && folder.isForeign(change.manager);
    const known = isOneTooMany ? anythingFor(own) : change;
    const one = folder.isFull(keyOf(known)) ? anythingFor(known.manager) : known;
    folder.put(seenAt(one, clock.now(), this.#name()));
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#working;
  }

  #name(): string {
    this.#number += 1;
    return `${this.#process} ${this.#number}`;
  }

  #wake(): void {
    if (this.#stopped || this.#working !== undefined) return;
    this.#cancel();
    const { clock, folder, beat } = this.#options;
    const now = clock.now();
    // A clock that is set back must not keep it silent for as long.
    this.#nextBeat = Math.min(this.#nextBeat, now + beat);
    const first = firstOf(folder.all(), now, (manager) => this.#held.get(manager)?.until ?? 0);
    const wait = Math.min(this.#nextBeat, first?.at ?? this.#nextBeat) - now;
    if (wait > 0) {
      this.#cancel = clock.after(wait, () => this.#wake());
      return;
    }
    this.#working = this.#step(first?.waiting).finally(() => {
      this.#working = undefined;
      this.#wake();
    });
  }

  /** Tells one thing: never rejects. */
  async #step(first: Waiting | undefined): Promise<void> {
    const { clock, beat, folder } = this.#options;
    const began = clock.now();
    // However much is to be told, it is alive: that goes first.
    if (first === undefined || this.#nextBeat <= began) {
      // A beat that does not arrive is not sent later: the next one says that it is missing.
      this.#nextBeat = began + beat;
      this.#beats += 1;
      const number = this.#beats;
      const body = { number, after: this.#answered, seconds: Math.max(1, beat / 1000) };
      if (await this.#send(this.#options.manager, { beat: body })) this.#answered = number;
      return;
    }
    const arrived = await this.#send(first.change.manager, bodyOf(first));
    folder.settle(first, arrived ? delivered(first, began, this.#name()) : failed(first, clock.now()));
  }

  #hold(manager: string): void {
    const failures = this.#held.get(manager)?.failures ?? 0;
    const { clock, random = Math.random } = this.#options;
    // Some later than others: all runtimes met the same outage.
    const pause = Math.min(pauseAfter(failures) * (1 + random() / 2), LONGEST_RETRY);
    this.#held.set(manager, { failures: Math.min(failures + 1, 30), until: clock.now() + pause });
  }

  async #send(manager: string, body: object): Promise<boolean> {
    const { send, log } = this.#options;
    try {
      await send(manager, body);
      this.delivered += 1;
      this.#held.delete(manager);
      if (this.#silent) log.info({}, "the control plane is told again");
      this.#silent = false;
      return true;
    } catch (thrown) {
      this.failed += 1;
      this.#hold(manager);
      if (!this.#silent) log.warn({ reason: messageOf(thrown) }, "the control plane cannot be told");
      this.#silent = true;
      return false;
    }
  }
}

const bodyOf = ({ change: { group, version, kind, namespace, name }, delivery }: Waiting): object => ({
  watched: { Namespace: namespace, Name: name },
  watchedGvk: { group, version, kind },
  delivery,
});
