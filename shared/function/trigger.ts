/** What a publisher of releases sent, once it is known that it did, and parsed. */
export interface Delivery {
  header(name: string): string | undefined;
  readonly body: unknown;
}

/** What a delivery tells: the event that it becomes. */
export interface Notice {
  /** When it happened, as the publisher says (RFC 3339); undefined where it does not say. */
  readonly at: string | undefined;
  readonly event: {
    /** Names the one change and meaning, so that the same one twice is one. */
    readonly id: string;
    readonly type: string;
    readonly subject: string;
    readonly data: unknown;
  };
}

/** What a delivery comes to. */
export type Reading =
  | { readonly notices: readonly Notice[] }
  /** Well formed, and of no concern: why. */
  | { readonly ignored: string }
  /** Each fault with its path. */
  | { readonly issues: readonly string[] };

/** Who tells of things outside the cluster, by calling us: a webhook. Pure: the host proves the sender, reads, and publishes. */
export interface Trigger {
  /** Also the path: `POST /triggers/<name>`. */
  readonly name: string;
  /**
   * How the sender is known. `signature`: HMAC-SHA256 of the body, as hex after `sha256=` in this header. `bearer`: a token in
   * `Authorization`.
   */
  readonly proof: { readonly signature: string } | "bearer";
  /** The header that names one delivery; a redelivery has the same. */
  readonly deliveryHeader?: string | undefined;
  /** What to do with what happened before the replay window: refuse it, or ignore it where its sender would try for ever. */
  readonly late: "refuse" | "ignore";
  /** The field that holds the body where it comes as a form. Absent: it never does. */
  readonly formField?: string | undefined;
  /** The types of deliveries that it knows. */
  readonly types: readonly string[];
  /** What to do with other types: refuse them, or ignore them where its sender may be told to send everything. Default: refuse. */
  readonly others?: "refuse" | "ignore" | undefined;
  /** Undefined where the delivery does not say: that is refused. */
  typeOf(delivery: Delivery): string | undefined;
  read(type: string, delivery: Delivery): Reading;
}
