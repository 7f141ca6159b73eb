import type { Msg, Subscription } from "@nats-io/transport-node";
import type { Lane } from "../../../events/index.ts";
import { ackOf } from "./delivery.ts";
import type { Names } from "./names.ts";
import { statusOf, type Wire } from "./wire.ts";

/** The time for which the server keeps a request for messages. */
const EXPIRES_MILLISECONDS = 30_000;
/** The pause after which the server says that a request still stands, where no message comes. */
const HEARTBEAT_MILLISECONDS = 2_000;
/** A change of leader swallows requests: after so long without a word they are asked anew. */
const SILENT_MILLISECONDS = 3 * HEARTBEAT_MILLISECONDS;
/** The time after which what was asked for is here, or others have it. */
export const ANSWER_MILLISECONDS = 200;
/** After a refusal (no leader, no such consumer) it waits before it asks again. */
const REFUSED_MILLISECONDS = 500;

/** Asks for the messages of one function's consumer, as many as there is room for. */
export class Puller {
  readonly function: string;
  readonly sort: Lane | "due";
  readonly #wire: Wire;
  readonly #next: string;
  readonly #inbox: string;
  readonly #subscription: Subscription;
  /** The number of messages that the server still owes. */
  asked = 0;
  #pending = 0;
  /** The time at which it asked, or the server last said something. */
  #heardAt = 0;
  #notBefore = 0;

  constructor(
    wire: Wire,
    names: Names,
    of: { readonly function: string; readonly sort: Lane | "due"; readonly number: number },
    told: {
      readonly arrived: (puller: Puller, message: Msg) => void;
      readonly ended: () => void;
      readonly refused: () => void;
    },
  ) {
    this.function = of.function;
    this.sort = of.sort;
    this.#wire = wire;
    const { stream, name } = names.consumer(of.function, of.sort);
    this.#next = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`;
    this.#inbox = `${wire.inbox}.p.${of.number}`;
    this.#subscription = wire.connection.subscribe(this.#inbox, {
      callback: (error, message) => {
        if (error !== null) return;
        this.#heardAt = performance.now();
        if (statusOf(message) !== 0) {
          if (this.#isRefused(message)) told.refused();
          told.ended();
          return;
        }
        this.asked = Math.max(0, this.asked - 1);
        this.#pending = ackOf(message.reply ?? "").pending;
        told.arrived(this, message);
      },
    });
  }

  /** The number of further messages that the last one said to be there, as long as others cannot have taken them. */
  get pending(): number {
    if (this.asked > 0 && performance.now() - this.#heardAt > ANSWER_MILLISECONDS) this.#pending = 0;
    return this.#pending;
  }

  /** Asks so that `wanted` messages are owed. */
  ask(wanted: number): void {
    const now = performance.now();
    if (this.asked > 0 && now - this.#heardAt > SILENT_MILLISECONDS) this.asked = 0;
    const batch = wanted - this.asked;
    if (batch <= 0 || now < this.#notBefore) return;
    this.asked += batch;
    this.#heardAt = now;
    this.#wire.connection.publish(
      this.#next,
      JSON.stringify({
        batch,
        expires: EXPIRES_MILLISECONDS * 1_000_000,
        idle_heartbeat: HEARTBEAT_MILLISECONDS * 1_000_000,
      }),
      { reply: this.#inbox },
    );
  }

  /** The connection was lost, and with it what was asked. */
  forget(): void {
    this.asked = 0;
    this.#notBefore = 0;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  /** No more comes of what was asked. True where that is not because there was nothing. */
  #isRefused(message: Msg): boolean {
    const status = statusOf(message);
    // The idle heartbeat and flow control of a server are no end.
    if (status === 100) return false;
    const left = Number(message.headers?.get("Nats-Pending-Messages") ?? Number.NaN);
    this.asked = Number.isFinite(left) && left > 0 ? Math.max(0, this.asked - left) : 0;
    this.#pending = 0;
    if (status === 404 || status === 408) return false;
    this.#notBefore = performance.now() + REFUSED_MILLISECONDS;
    return true;
  }
}
