import type { Time } from "../clock/time.ts";

/** A publisher's message, once its sender is proven and its body parsed. */
export interface Delivery {
  header(name: string): string | undefined;
  readonly body: unknown;
}

/** The event that a delivery becomes. */
export interface Notice {
  /** The time at which it happened, as the publisher says (RFC 3339); undefined where it does not say. */
  readonly at: string | undefined;
  readonly event: {
    /** Names the one change and meaning, so that the same one twice is one. */
    readonly id: string;
    readonly type: string;
    readonly subject: string;
    readonly data: unknown;
  };
}

/** The result of reading a delivery. */
export type Reading =
  | { readonly notices: readonly Notice[] }
  /** The reason why a well-formed delivery is of no concern. */
  | { readonly ignored: string }
  /** The faults, each with its path. */
  | { readonly issues: readonly string[] };

/** A webhook: a publisher outside the cluster calls it. Pure: the host proves the sender, reads, and publishes. */
export interface Trigger {
  /** The name, and the path: `POST /triggers/<name>`. */
  readonly name: string;
  /**
   * The proof of the sender. `signature`: HMAC-SHA256 of the body, as hex after `sha256=` in this header. `bearer`: a token in
   * `Authorization`.
   */
  readonly proof: { readonly signature: string } | "bearer";
  /** The header that names one delivery; a redelivery has the same. */
  readonly deliveryHeader?: string | undefined;
  /** The treatment of events from before the replay window: refused, or ignored where the sender would otherwise try for ever. */
  readonly late: "refuse" | "ignore";
  /** The field that holds the body where it comes as a form. Absent: it never does. */
  readonly formField?: string | undefined;
  /** The types of deliveries that it knows. */
  readonly types: readonly string[];
  /** The treatment of other types: refused, or ignored where the sender may be told to send everything. Default: refused. */
  readonly others?: "refuse" | "ignore" | undefined;
  /** The type of a delivery; undefined where it does not say, and then it is refused. */
  typeOf(delivery: Delivery): string | undefined;
  read(type: string, delivery: Delivery): Reading;
}

/** A delivery whose sender a certificate proves. */
export interface ProvenDelivery {
  /** The common name of the sender's certificate. Never empty. */
  readonly commonName: string;
  /** The parts of the path that the trigger's `path` names; one may be empty. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Names this one delivery: no other has it, not even the same body once more. */
  readonly id: string;
}

/**
 * A path at which clients outside call that a certificate proves, by TLS or through a gateway. Pure, as every trigger. The answer is always the
 * same 202, so that nobody learns what is known here.
 */
export interface CertifiedTrigger extends CertifiedPath {
  readonly beats?: undefined;
  /** The events that a delivery becomes, or why it becomes none. */
  read(delivery: ProvenDelivery): Reading;
}

/** The same where senders also say regularly that they are alive: hosts remember the last beat of each, and only news of them become events. */
export interface BeatingTrigger extends CertifiedPath {
  /** The event that news of a sender's beats become. */
  beats(news: BeatNews): Notice;
  /** The events that a delivery becomes, the beat that it is, or why it becomes nothing. */
  read(delivery: ProvenDelivery): Reading | { readonly beat: Beat };
}

/** A sign of life. Whoever sends them counts them from 1 at each start of its program. */
export interface Beat {
  /** The number of this one. */
  readonly number: number;
  /** The number of the last one of this program that was answered, 0 where none was: what lies between did not arrive. */
  readonly after: number;
  /** The next one follows after so many seconds. */
  readonly seconds: number;
}

/** News of a sender's beats. The later `heard` counts where several tell of one sender; of the same time silence does. */
export interface BeatNews {
  /**
   * `alive`: the first beat of a program, the first one after silence or that any host knows of, and now and then another. `missed`: beats
   * did not arrive. `silent`: three in a row did not.
   */
  readonly state: "alive" | "missed" | "silent";
  /** The common name of the sender's certificate. */
  readonly sender: string;
  /** The time of the last beat. */
  readonly heard: Time;
  /** The host that heard it: another name at each start of a process. */
  readonly host: string;
}

/** The path of clients outside that a certificate proves. */
interface CertifiedPath {
  readonly name: string;
  /** The path; a part that begins with a colon takes any one part: `/v2/:tenant/event`. */
  readonly path: string;
  readonly proof: "certificate";
  /** Bytes of a body at most. */
  readonly maximumBody: number;
  /** The answer to a body that is no JSON, where its senders expect another than 400. */
  readonly noJson?: 400 | 500 | undefined;
}
