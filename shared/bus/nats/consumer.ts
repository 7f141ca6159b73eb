import type { Msg } from "@nats-io/transport-node";
import { type Clock, systemClock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Consumer, Work } from "../contract.ts";
import { sweepPlaces } from "../sweep-room.ts";
import { type Acknowledger, type Arrival, deliveryOf, isOfServer, NewerMessage } from "./delivery.ts";
import type { KeyRun } from "./key-run.ts";
import type { KeyRuns } from "./key-runs.ts";
import type { Names } from "./names.ts";
import { ANSWER_MILLISECONDS, Puller } from "./puller.ts";
import type { Taker } from "./run-parts.ts";
import type { Wire } from "./wire.ts";

/** After so many urgent items in a row a sweep comes, if one waits (B8). */
const URGENT_IN_A_ROW = 7;
/** An item that found no room here goes back to others after this. */
const QUEUED_MILLISECONDS = 2_000;
const NEWER_MILLISECONDS = 5_000;

export interface NatsConsumerParts {
  readonly wire: Wire;
  readonly names: Names;
  readonly acknowledge: Acknowledger;
  readonly log: Log;
  readonly runs: KeyRuns;
  /** A consumer does not answer as it should. */
  readonly refused: () => void;
  readonly clock: Clock;
  /** A number that no other puller of this process has. */
  readonly nextNumber: () => number;
  readonly ended: (slots: NatsConsumer) => void;
}

/** The options of one `consume`: `parallel` keys at once, of some functions. */
export class NatsConsumer implements Consumer {
  readonly functions: readonly string[];
  readonly #parts: NatsConsumerParts;
  readonly #parallel: number;
  #lent = 0;
  readonly #pullers: Puller[] = [];
  readonly #mine = new Set<KeyRun>();
  /** The number of these that a sweep began. */
  #sweeps = 0;
  #urgent: Arrival[] = [];
  #sweep: Arrival[] = [];
  #sinceSweep = 0;
  readonly #stop = new AbortController();
  readonly #taker: Taker;
  #pumping = false;
  #cancelPump: (() => void) | undefined;
  #stopped: Promise<void> | undefined;
  readonly #idle = new Set<() => void>();
  /** Functions whose items it leaves alone now. */
  #left: "all" | ReadonlySet<string> = new Set();

  constructor(
    options: { readonly parallel: number; readonly functions: readonly string[] },
    work: Work,
    parts: NatsConsumerParts,
  ) {
    this.#parallel = options.parallel;
    this.functions = options.functions;
    this.#taker = { work, stopping: this.#stop.signal };
    this.#parts = parts;
  }

  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  leave(functions: "all" | readonly string[]): void {
    this.#left = functions === "all" ? functions : new Set(functions);
    this.#urgent = this.#without(this.#urgent);
    this.#sweep = this.#without(this.#sweep);
    this.#pump();
  }

  lend(places: number): void {
    this.#lent = places;
    this.#pump();
  }

  /** The number of keys that it may run at once now. */
  get #places(): number {
    return this.#parallel + this.#lent;
  }

  #leaves(name: string): boolean {
    return this.#left === "all" || this.#left.has(name);
  }

  /** Gives back what is left alone, at once: it may come here again only as often as was asked before. */
  #without(arrivals: readonly Arrival[]): Arrival[] {
    return arrivals.filter((arrival) => {
      if (!this.#leaves(arrival.key.function)) return true;
      this.#parts.acknowledge.back(arrival);
      return false;
    });
  }

  /** Begins to take items of a function, once its consumers are there; goes on where they are there again. */
  open(name: string): void {
    if (this.stopping) return;
    if (this.#pullers.some((puller) => puller.function === name)) {
      this.askAgain();
      return;
    }
    for (const sort of ["due", "urgent", "sweep"] as const)
      this.#pullers.push(
        new Puller(
          this.#parts.wire,
          this.#parts.names,
          { function: name, sort, number: this.#parts.nextNumber() },
          {
            arrived: (puller, message) => this.#arrived(puller, message),
            ended: () => this.#pump(),
            refused: this.#parts.refused,
          },
        ),
      );
    this.#pump();
  }

  /** The connection is back: what was asked before is forgotten by the server. */
  askAgain(): void {
    for (const puller of this.#pullers) puller.forget();
    this.#pump();
  }

  /** Called now and then: what waits for too long goes back, and requests that were swallowed are made anew. */
  look(): void {
    const old = performance.now() - QUEUED_MILLISECONDS;
    const back = (arrivals: readonly Arrival[]): Arrival[] =>
      arrivals.filter((arrival) => {
        if (!isOfServer(arrival) || arrival.arrivedAt > old) return true;
        this.#parts.acknowledge.back(arrival);
        return false;
      });
    // The sweeps that were to come have gone to other hosts.
    if (this.#mine.size === 0) this.#sinceSweep = 0;
    this.#urgent = back(this.#urgent);
    this.#sweep = back(this.#sweep);
    this.#pump();
  }

  /** An item is here, or a key is due. */
  take(arrival: Arrival): void {
    if (!this.#parts.runs.add(arrival)) {
      if (this.stopping || this.#leaves(arrival.key.function)) {
        this.#parts.acknowledge.back(arrival);
        return;
      }
      (arrival.sort === "sweep" ? this.#sweep : this.#urgent).push(arrival);
    }
    this.#pump();
  }

  stop(milliseconds?: number): Promise<void> {
    this.#stop.abort();
    for (const arrival of [...this.#urgent, ...this.#sweep]) this.#parts.acknowledge.back(arrival);
    this.#urgent = [];
    this.#sweep = [];
    if (milliseconds !== undefined && this.#mine.size > 0) {
      const cut = (): void => {
        for (const waiter of [...this.#idle]) waiter();
      };
      if (milliseconds <= 0) queueMicrotask(cut);
      else this.#idle.add(this.#parts.clock.after(milliseconds, cut));
    }
    this.#stopped ??= this.#whenIdle().then(() => this.#end());
    return this.#stopped;
  }

  /** Ends as the death of the process. */
  abandon(): void {
    this.#stop.abort();
    for (const run of this.#mine) run.abandon();
    this.#mine.clear();
  }

  #whenIdle(): Promise<void> {
    if (this.#mine.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.add(resolve));
  }

  async #end(): Promise<void> {
    for (const waiter of this.#idle) waiter();
    this.#idle.clear();
    await Promise.all([...this.#mine].map((run) => run.giveBack()));
    this.#parts.ended(this);
  }

  /** No message of it comes to this process any more. */
  close(): void {
    this.#cancelPump?.();
    for (const puller of this.#pullers) puller.close();
  }

  #arrived(puller: Puller, message: Msg): void {
    try {
      this.take(deliveryOf(message, puller.sort));
    } catch (thrown) {
      this.#parts.acknowledge.back({ ack: message.reply ?? "" }, NEWER_MILLISECONDS);
      this.#parts.log.error(
        { subject: message.subject, error: messageOf(thrown) },
        thrown instanceof NewerMessage
          ? "a newer version of Reveille sent this item: it goes back, for a host of that version"
          : "a message of the bus cannot be read: it goes back",
      );
    }
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    // Once a turn of the event loop, so that what ends together asks together.
    setImmediate(() => {
      this.#pumping = false;
      this.#start();
      this.#ask();
    });
  }

  /** Urgent items were asked for: if they do not come, others have them. */
  #pumpLater(): void {
    this.#cancelPump ??= systemClock.after(ANSWER_MILLISECONDS, () => {
      this.#cancelPump = undefined;
      this.#pump();
    });
  }

  #start(): void {
    const { runs } = this.#parts;
    while (this.#mine.size < this.#places && !this.stopping && !runs.closed) {
      if (this.#urgentComes()) {
        this.#pumpLater();
        return;
      }
      const arrival = this.#pick();
      if (arrival === undefined) return;
      if (runs.add(arrival)) continue;
      const sweeps = arrival.sort === "sweep" ? 1 : 0;
      this.#sweeps += sweeps;
      const begun = runs.begin(arrival, this.#taker, (run) => {
        this.#mine.delete(run);
        this.#sweeps -= sweeps;
        if (this.#mine.size === 0 && this.stopping) for (const waiter of [...this.#idle]) waiter();
        this.#pump();
      });
      this.#mine.add(begun);
    }
  }

  /** True where only a sweep is here, but urgent items wait and are asked for: their answer is a round trip away. */
  #urgentComes(): boolean {
    if (this.#urgent.length > 0 || this.#sweep.length === 0 || this.#sinceSweep >= URGENT_IN_A_ROW)
      return false;
    return this.#pullers.some(
      ({ function: name, sort, pending }) => sort === "urgent" && pending > 0 && !this.#leaves(name),
    );
  }

  #pick(): Arrival | undefined {
    const mayCome = this.#sweep.length > 0 && this.#sweepRoom > 0;
    if (mayCome && (this.#sinceSweep >= URGENT_IN_A_ROW || this.#urgent.length === 0)) {
      this.#sinceSweep = 0;
      return this.#sweep.shift();
    }
    const urgent = this.#urgent.shift();
    if (urgent !== undefined) this.#sinceSweep += 1;
    return urgent;
  }

  /** The number of sweeps that may begin now. */
  get #sweepRoom(): number {
    return Math.min(sweepPlaces(this.#places) - this.#sweeps, this.#places - this.#mine.size);
  }

  /**
   * Asks for what there is room for. A consumer with nothing to give is asked for one item, so that the next one comes at once;
   * what is more than there is room for waits here a moment.
   */
  #ask(): void {
    const room = this.#places - this.#mine.size - this.#urgent.length;
    if (this.stopping || room <= 0 || this.#parts.runs.closed) return;
    const taken = this.#pullers.filter(({ function: name }) => !this.#leaves(name));
    const sweeps = taken.filter(({ sort }) => sort === "sweep");
    const first = taken.filter(({ sort }) => sort !== "sweep");
    const urgentWaits = first.some(({ pending }) => pending > 0);
    const sweepsTurn = this.#sinceSweep >= URGENT_IN_A_ROW;
    const sweepWaits = sweeps.some(({ pending }) => pending > 0);
    // With one place the next item must be the sweep, or it never is.
    if (!(sweepsTurn && sweepWaits && this.#places === 1)) share(first, room);
    const sweepRoom = Math.min(room, this.#sweepRoom);
    if (this.#sweep.length > 0 || sweepRoom <= 0) return;
    if (!urgentWaits) share(sweeps, sweepRoom);
    else if (sweepsTurn) share(sweeps, 1);
    else this.#pumpLater();
  }
}

function share(pullers: readonly Puller[], room: number): void {
  const busy = pullers.filter(({ pending }) => pending > 0).length;
  const each = Math.max(1, Math.floor(room / Math.max(1, busy)));
  for (const puller of pullers) puller.ask(puller.pending > 0 ? each : 1);
}
