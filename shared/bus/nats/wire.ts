import { type Msg, type MsgHdrs, headers as makeHeaders, type NatsConnection } from "@nats-io/transport-node";
import { systemClock } from "../../clock/clock.ts";
import { BusError } from "../errors.ts";

/** The pause between two looks for requests whose time is over: one timer for all of them. */
const LOOK_MILLISECONDS = 100;
const REQUEST_MILLISECONDS = 3_000;
const PAGE = 500;
/** Room for the headers of a message. */
const HEADER_BYTES = 1024;

/** Codes of the JetStream API that mean something to this adapter. */
const WRONG_LAST_SEQUENCE = new Set([10071, 10164]);
const FULL = new Set([10023, 10047, 10077, 10122]);

/** The result of a conditional write. */
export type Written =
  | { readonly state: "stored"; readonly seq: number }
  /** Another version stands there; its sequence where the server says it. */
  | { readonly state: "conflict"; readonly last: number | undefined };

/** A stored message, as a direct read gives it. */
export interface Stored {
  readonly subject: string;
  readonly seq: number;
  readonly body: Uint8Array;
  /** RFC 3339, by the server's clock. */
  readonly time: string;
}

/** No answer, or none that tells: what was asked may have happened. */
export class Unsure extends BusError {
  constructor(what: string) {
    super(
      "BUS_UNREACHABLE",
      `NATS did not answer for ${what}: look whether its servers run and have a leader.`,
    );
  }
}

/** This user may not ask that: the question was not even sent on. */
export class Forbidden extends BusError {
  constructor(subject: string) {
    super(
      "BUS_MISCONFIGURED",
      `This NATS user may not publish to ${subject}: give it the rights that \`reveille nats-users\` prints, or name another user.`,
    );
  }
}

interface Waiting {
  readonly resolve: (message: Msg) => void;
  readonly reject: (thrown: Error) => void;
  readonly what: string;
  readonly until: number;
  /** Called with each message, where many answer one request. */
  readonly each?: ((message: Msg) => boolean) | undefined;
}

/**
 * Requests over one inbox, with one timer for all. The client's own `request` costs half as much again a message, which is
 * what a worker does most.
 */
export class Wire {
  readonly connection: NatsConnection;
  /** Begins every subject on which this process takes answers. */
  readonly inbox: string;
  readonly #waiting = new Map<string, Waiting>();
  #next = 0;
  #cancelLook: (() => void) | undefined;
  #closed = false;

  constructor(connection: NatsConnection, inbox: string) {
    this.connection = connection;
    this.inbox = inbox;
    connection.subscribe(`${inbox}.a.*`, { callback: (error, message) => this.#answered(error, message) });
  }

  /** The most bytes that the server takes in one message, headers included. */
  get mostBytes(): number {
    return this.connection.info?.max_payload ?? 1024 * 1024;
  }

  get unanswered(): number {
    return this.#waiting.size;
  }

  /** Rejects with `Unsure` where no answer comes in time. */
  request(
    subject: string,
    payload: string | Uint8Array,
    options: {
      readonly headers?: MsgHdrs | undefined;
      readonly milliseconds?: number;
      readonly each?: (message: Msg) => boolean;
    } = {},
  ): Promise<Msg> {
    if (this.#closed) return Promise.reject(closedError());
    this.#next += 1;
    const token = this.#next.toString(36);
    return new Promise((resolve, reject) => {
      const until = performance.now() + (options.milliseconds ?? REQUEST_MILLISECONDS);
      this.#waiting.set(token, { resolve, reject, what: subject, until, each: options.each });
      this.#keepLooking();
      try {
        this.connection.publish(subject, payload, {
          reply: `${this.inbox}.a.${token}`,
          ...(options.headers !== undefined && { headers: options.headers }),
        });
      } catch (thrown) {
        this.#waiting.delete(token);
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    });
  }

  /** Stores a message. @throws Unsure, BusError `BUS_FULL`, `BUS_TOO_LARGE` or `BUS_IO` */
  async store(
    subject: string,
    payload: string,
    headers: Readonly<Record<string, string>>,
    milliseconds?: number,
  ): Promise<Written> {
    const bytes = Buffer.byteLength(payload) + HEADER_BYTES;
    if (bytes > this.mostBytes)
      throw new BusError(
        "BUS_TOO_LARGE",
        `${subject} would take ${bytes} bytes, the server takes ${this.mostBytes} in one message: make it smaller, or raise max_payload.`,
      );
    const set = makeHeaders();
    for (const [name, value] of Object.entries(headers)) set.set(name, value);
    const answer = await this.request(subject, payload, {
      headers: set,
      ...(milliseconds !== undefined && { milliseconds }),
    });
    if (statusOf(answer) === 503) throw new Unsure(subject);
    return writtenOf(subject, answer.json<StoreAnswer>());
  }

  /** The message that stands under a subject. @throws Unsure */
  async last(stream: string, subject: string): Promise<Stored | undefined> {
    const answer = await this.request(`$JS.API.DIRECT.GET.${stream}.${subject}`, "");
    const status = statusOf(answer);
    if (status === 404) return undefined;
    if (status !== 0) throw new Unsure(subject);
    return storedOf(answer);
  }

  /** All messages under a subject with wildcards, oldest first. @throws Unsure */
  async *list(
    stream: string,
    subject: string,
    options: { readonly from?: number; readonly pageSize?: number } = {},
  ): AsyncGenerator<Stored> {
    for (let from = options.from ?? 1; ; ) {
      const page: Stored[] = [];
      const end = await this.request(
        `$JS.API.DIRECT.GET.${stream}`,
        JSON.stringify({ seq: from, next_by_subj: subject, batch: options.pageSize ?? PAGE }),
        {
          milliseconds: 10_000,
          each: (message) => {
            if (statusOf(message) !== 0) return true;
            page.push(storedOf(message));
            return false;
          },
        },
      );
      const status = statusOf(end);
      if (status !== 204 && status !== 404) throw new Unsure(subject);
      const more = status === 204 && Number(end.headers?.get("Nats-Num-Pending") ?? 0) > 0;
      yield* page;
      const last = page.at(-1);
      if (!more || last === undefined) return;
      from = last.seq + 1;
    }
  }

  /** The server told that a publishing was not allowed: nobody will answer. */
  forbid(subject: string): void {
    for (const [token, waiting] of this.#waiting) {
      if (waiting.what !== subject) continue;
      this.#waiting.delete(token);
      waiting.reject(new Forbidden(subject));
    }
  }

  close(): void {
    this.#closed = true;
    this.#cancelLook?.();
    for (const waiting of this.#waiting.values()) waiting.reject(closedError());
    this.#waiting.clear();
  }

  #answered(error: Error | null, message: Msg): void {
    if (error !== null) return;
    const token = message.subject.slice(this.inbox.length + 3);
    const waiting = this.#waiting.get(token);
    if (waiting === undefined) return;
    if (waiting.each !== undefined && !waiting.each(message)) return;
    this.#waiting.delete(token);
    waiting.resolve(message);
  }

  #keepLooking(): void {
    if (this.#cancelLook !== undefined) return;
    this.#cancelLook = systemClock.after(LOOK_MILLISECONDS, () => {
      this.#cancelLook = undefined;
      const now = performance.now();
      // In order of asking, mostly; a few long ones among them do no harm.
      for (const [token, waiting] of this.#waiting) {
        if (waiting.until > now) continue;
        this.#waiting.delete(token);
        waiting.reject(new Unsure(waiting.what));
      }
      if (this.#waiting.size > 0 && !this.#closed) this.#keepLooking();
    });
  }
}

/** JetStream's answer to a publishing. */
export interface StoreAnswer {
  readonly seq?: number;
  readonly error?: { readonly err_code?: number; readonly code?: number; readonly description?: string };
}

/** @throws Unsure, BusError `BUS_FULL` or `BUS_IO` */
export function writtenOf(subject: string, { seq, error }: StoreAnswer): Written {
  if (error === undefined) return { state: "stored", seq: seq ?? 0 };
  const code = error.err_code ?? 0;
  if (WRONG_LAST_SEQUENCE.has(code)) {
    const last = /wrong last sequence: (\d+)/.exec(error.description ?? "")?.[1];
    return { state: "conflict", last: last === undefined ? undefined : Number(last) };
  }
  if (FULL.has(code))
    throw new BusError(
      "BUS_FULL",
      `NATS has no room for ${subject} (${error.description}): let workers catch up, or raise the limit of the stream.`,
    );
  // A cluster without a leader, or one that has just lost it.
  if (error.code === 503) throw new Unsure(subject);
  throw new BusError("BUS_IO", `NATS refused ${subject}: ${error.description ?? "it does not say why"}.`);
}

const closedError = (): BusError => new BusError("BUS_CLOSED", "The bus is closed: open it again.");

/** The status of a message without content; 0 for one with. */
export const statusOf = (message: Msg): number => message.headers?.code ?? 0;

const storedOf = (message: Msg): Stored => ({
  subject: message.headers?.get("Nats-Subject") ?? "",
  seq: Number(message.headers?.get("Nats-Sequence") ?? 0),
  body: message.data,
  time: message.headers?.get("Nats-Time-Stamp") ?? "",
});
