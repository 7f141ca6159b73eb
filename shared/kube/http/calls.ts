import type { Clock } from "../../clock/clock.ts";
import { KubeError } from "../errors.ts";
import { weightOf } from "../page-size.ts";
import { brokenRequest } from "./broken.ts";
import { refusal, retryAfterOf } from "./classify.ts";
import type { Connection } from "./connection.ts";
import { Semaphore } from "./semaphore.ts";
import type { Transport } from "./transport.ts";
import { type Answer, TransportError, type WireRequest } from "./wire.ts";
import { WriteLimit } from "./write-limit.ts";

/** The verb under which a request is counted. */
export type Verb =
  | "get"
  | "list"
  | "watch"
  | "apply"
  | "create"
  | "patch"
  | "replace"
  | "delete"
  | "raw"
  | "exec";

/** A request and what may be done with it. */
export interface Call extends WireRequest {
  readonly verb: Verb;
  /** Sending it twice does what sending it once does. */
  readonly repeatable: boolean;
  /** A JSON patch with tests. */
  readonly tests?: boolean | undefined;
  /** Counts against the writes in flight. */
  readonly write: boolean;
}

export interface CallSettings {
  readonly clock: Clock;
  /** Writes in flight at once, at most: the server's answers decide how many. */
  readonly concurrentWrites: number;
  /** For how long in all a throttled request is repeated. */
  readonly throttledMilliseconds: number;
}

/** Sends requests with credentials, bounds the writes in flight, repeats what may be repeated, and turns refusals into errors. */
export class Calls {
  /** Requests sent, by verb. */
  readonly sent: Record<Verb, number> = {
    get: 0,
    list: 0,
    watch: 0,
    apply: 0,
    create: 0,
    patch: 0,
    replace: 0,
    delete: 0,
    raw: 0,
    exec: 0,
  };
  /** Answers by verb and code: `get 200`; `get 0` where none came. */
  readonly answers: Record<string, number> = {};
  readonly #connection: Connection;
  readonly #transport: Pick<Transport, "exchange" | "dropIdle">;
  readonly #settings: CallSettings;
  readonly #limit: WriteLimit;
  readonly #writes: Semaphore;
  constructor(
    connection: Connection,
    transport: Pick<Transport, "exchange" | "dropIdle">,
    settings: CallSettings,
  ) {
    this.#connection = connection;
    this.#transport = transport;
    this.#settings = settings;
    this.#limit = new WriteLimit(settings.concurrentWrites);
    this.#writes = new Semaphore(this.#limit.size);
  }

  /** A request that goes another way than these, counted like them. */
  async counted<T>(verb: Verb, send: () => Promise<T>): Promise<T> {
    this.sent[verb]++;
    try {
      const answer = await send();
      this.answered(verb, 101);
      return answer;
    } catch (error) {
      this.answered(verb, error instanceof KubeError ? (error.status?.code ?? 0) : 0);
      throw error;
    }
  }

  /** Counts an answer, or with 0 that none came. */
  answered(verb: Verb, code: number): void {
    const key = `${verb} ${code}`;
    this.answers[key] = (this.answers[key] ?? 0) + 1;
  }

  /** The answer of a success, parsed. Throws a `KubeError`. */
  async json(call: Call): Promise<unknown> {
    return (await this.sized(call)).value;
  }

  /** The answer of a success, parsed, and what a list weighed. Throws a `KubeError`. */
  async sized(call: Call): Promise<{ readonly value: unknown; readonly weight: number }> {
    if (call.write && !this.#writes.tryTake()) {
      try {
        await this.#writes.take(call.signal);
      } catch (error) {
        throw this.#broken(call, new TransportError("aborted", "The request was aborted", { cause: error }));
      }
    }
    try {
      const { text } = await this.#succeed(call);
      const weight = call.verb === "list" ? weightOf(text) : text.length;
      if (weight > (call.mostWeight ?? Number.POSITIVE_INFINITY))
        throw this.#broken(call, new TransportError("tooLarge", "The answer holds too many values"));
      // Health endpoints answer in plain text.
      const value = call.verb === "raw" && !/^\s*[{["]/.test(text) ? text : parsed(text, call);
      return { value, weight };
    } finally {
      if (call.write) this.#writes.give();
    }
  }

  /** Repeats what the contract lets it repeat: 429 with Retry-After, 401 with renewed credentials, a kept connection that had died. */
  async #succeed(call: Call): Promise<Answer> {
    let renewed = false;
    let reconnected = false;
    let waited = 0;
    for (;;) {
      let answer: Answer;
      const isFull = call.write && this.#writes.isFull;
      const sentAt = this.#settings.clock.now();
      try {
        const credentials = this.#connection.credentials.current();
        const credential = credentials instanceof Promise ? await credentials : credentials;
        this.sent[call.verb]++;
        answer = await this.#transport.exchange(call, credential);
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        this.answered(call.verb, 0);
        if (call.write && error.reason === "timeout") this.#refused(sentAt);
        if (!error.reused || !call.repeatable || reconnected) throw this.#broken(call, error);
        reconnected = true;
        this.#transport.dropIdle();
        continue;
      }
      this.answered(call.verb, answer.status);
      if (call.write && answer.status === 429) this.#refused(sentAt);
      else if (isFull) this.#took(sentAt);
      if (answer.status >= 200 && answer.status < 300) return answer;
      if (answer.status === 401 && !renewed && this.#connection.credentials.refused()) {
        renewed = true;
        continue;
      }
      const wait = answer.status === 429 ? retryAfterOf(answer) : undefined;
      if (wait === undefined || waited + wait > this.#settings.throttledMilliseconds)
        throw refusal(answer, { name: nameOf(call), tests: call.tests });
      // At least a little, so that `Retry-After: 0` makes no busy loop.
      const pause = Math.max(wait, 100);
      waited += pause;
      try {
        await this.#settings.clock.sleep(pause, call.signal);
      } catch (error) {
        throw this.#broken(call, new TransportError("aborted", "The request was aborted", { cause: error }));
      }
    }
  }

  /** Only an overload counts as a refusal: other errors may be the doing of one object or its webhooks. */
  #refused(sentAt: number): void {
    this.#limit.refused(sentAt, this.#settings.clock.now());
    this.#writes.resize(this.#limit.size);
  }

  #took(sentAt: number): void {
    this.#limit.answered(sentAt, this.#settings.clock.now());
    this.#writes.resize(this.#limit.size);
  }

  #broken(call: Call, error: TransportError): KubeError {
    return brokenRequest(error, this.#connection.server, nameOf(call));
  }
}

const nameOf = (call: WireRequest): string => `${call.method} ${call.path}`;

function parsed(text: string, call: Call): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KubeError(
      "unavailable",
      `${nameOf(call)}: the answer is no JSON: is this the address of an API server?`,
      { request: nameOf(call), cause: error, code: "KUBE_NOT_JSON" },
    );
  }
}
