import { headers, type Msg, type NatsConnection } from "@nats-io/transport-node";
import type { Lane } from "../../../events/index.ts";
import type { WorkKey } from "../item.ts";
import type { StateRecord } from "./store.ts";
import { isOfNewer, type WorkMessage, workMessageOf } from "./work-message.ts";

/** A message of the server in this host's hands. */
interface OfServer {
  readonly key: WorkKey;
  readonly subject: string;
  readonly seq: number;
  /** The subject on which it is acknowledged. */
  readonly ack: string;
  /** Milliseconds on the monotonic clock. */
  readonly arrivedAt: number;
}
export interface ItemDelivery extends OfServer {
  readonly sort: Lane;
  readonly message: WorkMessage;
}
/** A waiting item, or a hint that a key is to be looked at because of a record. */
export type Delivery = ItemDelivery | (OfServer & Reminder);

/** A reminder to look at a key because of a record. By itself this host remembered it: the server has no part in it. */
export interface Reminder {
  readonly key: WorkKey;
  readonly sort: "due";
  readonly recordId: string;
}

/** A reason for a host to look at a key. */
export type Arrival = Delivery | Reminder;

export const isOfServer = (arrival: Arrival): arrival is Delivery => "ack" in arrival;

/**
 * The contents of a delivery's reply subject:
 * `$JS.ACK[.<domain>.<account>].<stream>.<consumer>.<times>.<seq>.<cseq>.<time>.<pending>…`
 */
export function ackOf(reply: string): { readonly seq: number; readonly pending: number } {
  const tokens = reply.split(".");
  const skipped = tokens.length > 9 ? 2 : 0;
  return { seq: Number(tokens[5 + skipped] ?? 0), pending: Number(tokens[8 + skipped] ?? 0) };
}

/** Throws for a foreign message. */
export function deliveryOf(message: Msg, sort: Lane | "due"): Delivery {
  const { subject, data, reply: ack = "" } = message;
  const { seq } = ackOf(ack);
  if (sort !== "due") return itemIn(subject, sort, seq, ack, data);
  const record = JSON.parse(new TextDecoder().decode(data)) as StateRecord;
  const key = { function: record.function, key: record.key };
  return { key, sort, subject, seq, ack, recordId: record.id, arrivedAt: performance.now() };
}

function itemIn(subject: string, sort: Lane, seq: number, ack: string, body: Uint8Array): ItemDelivery {
  const work = workMessageOf(body);
  if (isOfNewer(work)) throw new NewerMessage();
  return {
    key: { function: work.function, key: work.key },
    sort,
    subject,
    seq,
    ack,
    message: work,
    arrivedAt: performance.now(),
  };
}

/** A newer version of Reveille sent it: it goes back, for a host that knows it. */
export class NewerMessage extends Error {}

/** Hands a delivery to the host that runs its key. */
export function handOver(delivery: ItemDelivery): {
  readonly payload: string;
  readonly headers: ReturnType<typeof headers>;
} {
  const set = headers();
  set.set("rv-subject", delivery.subject);
  set.set("rv-lane", delivery.sort);
  set.set("rv-seq", String(delivery.seq));
  set.set("rv-ack", delivery.ack);
  return { payload: JSON.stringify(delivery.message), headers: set };
}

/** The item that another host hands over. */
export function handedOver(message: Msg): ItemDelivery {
  const get = (name: string): string => message.headers?.get(name) ?? "";
  const sort = get("rv-lane") === "sweep" ? "sweep" : "urgent";
  return itemIn(get("rv-subject"), sort, Number(get("rv-seq")), get("rv-ack"), message.data);
}

/** An arrival, or as much of it as could be read. */
type Acknowledged = Arrival | Pick<Delivery, "ack">;

const text = new TextEncoder();
const ACKNOWLEDGED = text.encode("+ACK");
const WORKING = text.encode("+WPI");

/**
 * Tells the server what became of a delivery; without an answer, since all of it heals by being told again. What this host remembered
 * by itself is none of the server's.
 */
export class Acknowledger {
  readonly #connection: NatsConnection;
  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  done(arrival: Acknowledged): void {
    this.#send(arrival, ACKNOWLEDGED);
  }
  /** Give it to somebody, after a while. Whole milliseconds: the server takes a fraction for "at once". */
  back(arrival: Acknowledged, milliseconds = 0): void {
    const delay = Math.round(milliseconds);
    this.#send(arrival, text.encode(delay > 0 ? `-NAK {"delay": ${delay * 1_000_000}}` : "-NAK"));
  }
  working(arrival: Acknowledged): void {
    this.#send(arrival, WORKING);
  }

  #send(arrival: Acknowledged, payload: Uint8Array): void {
    const ack = "ack" in arrival ? arrival.ack : "";
    if (ack !== "" && !this.#connection.isClosed()) this.#connection.publish(ack, payload);
  }
}
