import { headers, type Msg, type NatsConnection } from "@nats-io/transport-node";
import type { Lane } from "../../../events/index.ts";
import type { WorkKey } from "../item.ts";
import type { StateRecord } from "./store.ts";
import { isOfNewer, type WorkMessage, workMessageOf } from "./work-message.ts";

/** A message in this host's hands: a waiting item, or a hint that a key is to be looked at. */
export interface Delivery {
  readonly key: WorkKey;
  readonly sort: Lane | "due";
  readonly subject: string;
  readonly seq: number;
  /** Where it is acknowledged; empty for what this host told itself. */
  readonly ack: string;
  /** Of a waiting item. */
  readonly message?: WorkMessage | undefined;
  /** Of a hint: the record that it is about. */
  readonly recordId?: string | undefined;
  /** Milliseconds on the monotonic clock. */
  readonly arrivedAt: number;
}

/** What a delivery's reply subject tells: `$JS.ACK[.<domain>.<account>].<stream>.<consumer>.<times>.<seq>.<cseq>.<time>.<pending>…` */
export function ackOf(reply: string): { readonly seq: number; readonly pending: number } {
  const tokens = reply.split(".");
  const skipped = tokens.length > 9 ? 2 : 0;
  return { seq: Number(tokens[5 + skipped] ?? 0), pending: Number(tokens[8 + skipped] ?? 0) };
}

/** Throws where the message is none of ours. */
export function deliveryOf(message: Msg, sort: Lane | "due"): Delivery {
  const ack = message.reply ?? "";
  return decoded(message.subject, sort, ackOf(ack).seq, ack, message.data);
}

function decoded(subject: string, sort: Lane | "due", seq: number, ack: string, body: Uint8Array): Delivery {
  const arrivedAt = performance.now();
  if (sort === "due") {
    const record = JSON.parse(new TextDecoder().decode(body)) as StateRecord;
    const key = { function: record.function, key: record.key };
    return { key, sort, subject, seq, ack, recordId: record.id, arrivedAt };
  }
  const work = workMessageOf(body);
  if (isOfNewer(work)) throw new NewerMessage();
  return {
    key: { function: work.function, key: work.key },
    sort,
    subject,
    seq,
    ack,
    message: work,
    arrivedAt,
  };
}

/** A newer version of Reveille sent it: it goes back, for a host that knows it. */
export class NewerMessage extends Error {}

/** Hands a delivery to the host that runs its key. */
export function handOver(delivery: Delivery): {
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

/** What another host hands over. */
export function handedOver(message: Msg): Delivery {
  const get = (name: string): string => message.headers?.get(name) ?? "";
  const sort = get("rv-lane") === "sweep" ? "sweep" : "urgent";
  return decoded(get("rv-subject"), sort, Number(get("rv-seq")), get("rv-ack"), message.data);
}

const text = new TextEncoder();
const ACKNOWLEDGED = text.encode("+ACK");
const WORKING = text.encode("+WPI");

/** Tells the server what became of a delivery; without an answer, since all of it heals by being told again. */
export class Acknowledger {
  readonly #connection: NatsConnection;
  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  done({ ack }: Delivery): void {
    this.#send(ack, ACKNOWLEDGED);
  }
  /** Give it to somebody, after a while. Whole milliseconds: the server takes a fraction for "at once". */
  back({ ack }: Delivery, milliseconds = 0): void {
    const delay = Math.round(milliseconds);
    this.#send(ack, text.encode(delay > 0 ? `-NAK {"delay": ${delay * 1_000_000}}` : "-NAK"));
  }
  working({ ack }: Delivery): void {
    this.#send(ack, WORKING);
  }

  #send(ack: string, payload: Uint8Array): void {
    if (ack !== "" && !this.#connection.isClosed()) this.#connection.publish(ack, payload);
  }
}
