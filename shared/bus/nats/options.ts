import * as z from "zod";
import type { EventDefinition } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log/log.ts";
import type { Route } from "../contract.ts";
import type { RetryPolicy } from "../retry.ts";

const path = z.string().min(1);

/** The configuration of the bus on NATS JetStream. */
export const natsOptions = z.strictObject({
  servers: z
    .array(
      // An address is shown in errors and at /readyz.
      z
        .string()
        .regex(/^[^@\s]+$/, "an address without credentials: name these as user and password, or as token"),
    )
    .min(1)
    .default(["nats://127.0.0.1:4222"])
    .describe("servers of one cluster, as `nats://host:4222` or `tls://host:4222`"),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, "letters, digits, - and _, 32 at most")
    .default("reveille")
    .describe("begins the name of every stream and subject: one for each installation"),
  inbox: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, "a subject without wildcards")
    .optional()
    .describe(
      "the prefix of the subjects for answers, as the generated permissions name it. Default: _INBOX",
    ),
  user: z.string().optional().describe("with password"),
  password: z.string().optional().describe("a secret: name a file with it"),
  token: z.string().optional().describe("a secret: name a file with it"),
  nkey: z.string().optional().describe("the seed of an nkey (SU…), a secret: name a file with it"),
  credentialsFile: path.optional().describe("a .creds file: JWT and seed"),
  tls: z
    .strictObject({
      ca: path.optional().describe("file of the authority that signed the servers' certificates"),
      certificate: path.optional().describe("file of this client's certificate"),
      key: path.optional().describe("file of its key"),
      handshakeFirst: z.boolean().default(false).describe("as the server's handshake_first"),
    })
    .optional(),
  replicas: z
    .union([z.literal(1), z.literal(3), z.literal(5)])
    .default(1)
    .describe("the number of servers that keep each message: 3 survives the loss of one"),
  maximumBytes: z
    .int()
    .positive()
    .default(1_073_741_824)
    .describe("the most waiting work that the server keeps; beyond it publishing waits"),
  leaseMilliseconds: z
    .int()
    .min(3_000)
    .max(300_000)
    .default(10_000)
    .describe("the time for which a host may be silent before others run its items"),
  history: z
    .strictObject({
      maximumAgeMilliseconds: z
        .int()
        .min(60_000)
        .default(7 * 24 * 3_600_000)
        .describe("the time for which runs and events are remembered"),
      maximumBytes: z
        .int()
        .min(1_048_576)
        .default(268_435_456)
        .describe("the most of them that the server keeps; the oldest go first"),
      maximumRuns: z.int().positive().default(10_000).describe("the number that is looked through"),
    })
    .prefault({}),
  setUp: z
    .boolean()
    .default(true)
    .describe("make missing streams and consumers; false where this user may not and somebody else did"),
});
export type NatsOptions = z.output<typeof natsOptions>;

/** All that `openNatsBus` needs. */
export interface NatsBusOptions {
  /** The options as `natsOptions` reads them. */
  readonly nats: NatsOptions;
  /** Names of all functions that this installation has: a consumer without a list of its own takes all of them. */
  readonly functions: readonly string[];
  readonly route: Route;
  /** The event types that are known; others are refused. Default: the catalogue. */
  readonly types?: (() => ReadonlyMap<string, EventDefinition>) | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** Shown in the server's list of connections. Default `reveille`. */
  readonly name?: string | undefined;
  /**
   * True where it removes messages that a killed server brought back, which takes the right to delete from the work stream: of
   * the generated users only the watcher has it. Such a process makes the consumers of all functions at once, too. Default: it
   * removes, and makes them when it first publishes.
   */
  readonly cleans?: boolean | undefined;
  /** A number from 0 up to 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
}
