import * as z from "zod";
import { natsOptions } from "../../shared/bus/nats/options.ts";
import { sqsOptions } from "../../shared/bus/sqs/options.ts";
import { type Duration, milliseconds } from "../../shared/clock/time.ts";
import type { System } from "../../shared/function/system.ts";
import { permissions } from "../../shared/host/http/caller.ts";
import { awsClusterOptions } from "../../shared/kube/aws/options.ts";
import { HOME_NAMESPACE } from "../../shared/kube/home.ts";
import { triggers } from "../triggers/triggers.ts";
import { refuseOtherCredentials } from "./credentials.ts";

/** A length of time as people write it; milliseconds once it is read. With less than `least` the thing itself could not work. */
const duration = (fallback: Duration, least: Duration = "0ms") =>
  z
    .string({
      error: ({ input }) =>
        typeof input === "number"
          ? `write ${input}s, or another unit: ms, m, h`
          : "write 500ms, 30s, 10m or 2h",
    })
    .regex(/^\d+(\.\d+)?(ms|s|m|h)$/, { error: "write 500ms, 30s, 10m or 2h", abort: true })
    .refine((text) => milliseconds(text as Duration) >= milliseconds(least), `write ${least} or more`)
    .default(fallback)
    .transform((text) => milliseconds(text as Duration));

/** `host:port`; port 0 is any free one. */
const address = z
  .string()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:/]+):\d{1,5}$/, {
    error: "write host:port, as 127.0.0.1:8080 or [::1]:8080",
    abort: true,
  })
  .refine((text) => Number(text.slice(text.lastIndexOf(":") + 1)) <= 65_535, "a port is 65535 at most")
  .transform((text) => {
    const cut = text.lastIndexOf(":");
    return { host: text.slice(0, cut).replace(/^\[|\]$/g, ""), port: Number(text.slice(cut + 1)) };
  });
/** The address on which a server listens. */
export type ListenAddress = z.output<typeof address>;

const cluster = z
  .object({
    kubeconfig: z
      .string()
      .min(1)
      .optional()
      .describe("The kubeconfig file. Default: as kubectl chooses, then the Pod's own service account."),
    context: z.string().min(1).optional().describe("A context other than the current one."),
    aws: awsClusterOptions
      .optional()
      .describe("Instead of a kubeconfig, on Lambda: an address, and a token that does not last."),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "letters, digits, dots, dashes, underscores; at most 63")
      .optional()
      .describe(
        "What the cluster is called in keys and events; watcher and workers must agree. Default: its name in the kubeconfig, `in-cluster` in a Pod.",
      ),
    concurrentWrites: z
      .int()
      .min(1)
      .max(1024)
      .default(32)
      .describe(
        "Writes in flight at once for each process, at most. It begins with 8, adds more while the API server's answer time for each of them does not grow, and halves their number where it refuses (429) or does not answer.",
      ),
    requestTimeout: duration("30s", "100ms").describe("A request is given up when no byte came for so long."),
  })
  .prefault({});

/** The file of the embedded bus where no other is named. */
export const EMBEDDED_FILE = ".reveille/bus.db";

const embedded = z
  .object({
    file: z
      .string()
      .min(1)
      .default(EMBEDDED_FILE)
      .describe("The SQLite file, with its journal beside it; it belongs to one process. Or `:memory:`."),
    powerCutSafe: z
      .boolean()
      .default(false)
      .describe("Sync the disk with each record of the journal: what is durable then survives a power cut."),
  })
  .prefault({});

const watcher = z
  .object({
    ledger: z
      .string()
      .min(1)
      .default(".reveille/ledger.db")
      .describe("The watcher's memory of what it published: a file of its own for each watcher."),
    identity: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Names this watcher in the Lease; different for each. Default: the host's name and the ledger's path.",
      ),
    streams: z
      .int()
      .min(1)
      .default(1_000)
      .describe(
        "Streams into other clusters that are open at once, at most; each takes some 130 KB and a connection. Where more are wanted they take turns of 30 s: changes there are heard of later, and none is missed.",
      ),
    lease: z
      .object({
        namespace: z
          .string()
          .min(1)
          .optional()
          .describe("Where the Lease lies. Default: the namespace of the installation."),
        name: z
          .string()
          .min(1)
          .default("reveille-watcher")
          .describe(
            "One Lease for the watchers that share a bus and load the same functions. Another installation on the same cluster needs another: of those that share a Lease one publishes, and only for its own bus and functions.",
          ),
        duration: duration("15s", "3s").describe(
          "A leader that is silent for so long is succeeded; it is renewed every third of that. At least 3s.",
        ),
      })
      .prefault({}),
    webhooks: z
      .object({
        service: z
          .object({
            name: z.string().min(1).describe("The Service by which the API server reaches `serve`."),
            namespace: z.string().min(1).describe("Its namespace."),
            port: z.int().min(1).max(65_535).default(443).describe("Its port for the API server."),
          })
          .describe(
            "Set: whoever leads makes the certificate, and registers the admissions at the API server.",
          ),
        secret: z
          .string()
          .min(1)
          .default("reveille-webhooks")
          .describe("The Secret of the certificate, in the namespace of the installation; it must be there."),
        lifetime: duration("2160h", "1h").describe(
          "For so long a certificate holds; it is renewed after two thirds of that.",
        ),
      })
      .optional(),
  })
  .prefault({});

const worker = z
  .object({
    parallel: z
      .int()
      .min(1)
      .max(1024)
      .optional()
      .describe("How many items run at once. Default: as many as `cluster.concurrentWrites`."),
    only: z
      .array(z.string().min(1))
      .optional()
      .describe("Names of the functions that this worker runs. Default: all of the loaded systems."),
  })
  .prefault({});

const runs = z
  .object({
    limit: duration("5m", "1s").describe(
      "A run that takes longer is cut off, and counts as a failed attempt. At least 1s.",
    ),
    maximumAttempts: z
      .int()
      .min(1)
      .default(10)
      .describe("After so many attempts a key goes to the dead letters."),
    nets: z.boolean().default(true).describe("Whether slow timers repair lost wakes."),
  })
  .prefault({});

const path = z.string().min(1);

const caller = z
  .strictObject({
    tokenFile: path.optional(),
    certificate: z.string().min(1).optional(),
    may: z.array(z.enum(permissions)).min(1).optional(),
  })
  .refine(
    ({ tokenFile, certificate }) => tokenFile !== undefined || certificate !== undefined,
    "name a tokenFile or the common name of a certificate",
  );

const certified = z
  .object({
    authorities: path.describe(
      "File of the authorities whose certificates prove the senders of triggers that systems declare; read again as it changes.",
    ),
    forwarded: z
      .boolean()
      .default(false)
      .describe(
        "Take the certificates that a gateway forwards (`X-Forwarded-Client-Cert`) at `serve.listen`. A certificate is no secret: let nobody but the gateway reach it.",
      ),
    gateway: z
      .string()
      .min(1)
      .optional()
      .describe(
        "The common name by which the gateway proves itself there (`serve.tls.clientAuthority`); what others forward is refused.",
      ),
    tls: z
      .object({
        listen: address.prefault("127.0.0.1:8444").describe("Where senders connect by TLS themselves."),
        certificate: path.describe("File of the certificate that they are shown; read again as it changes."),
        key: path.describe("File of its key."),
      })
      .optional(),
  })
  .refine(
    ({ gateway, forwarded }) => gateway === undefined || forwarded,
    "a gateway forwards only where `forwarded` is true",
  );

const serve = z
  .object({
    listen: address.prefault("127.0.0.1:8080").describe("Where `serve` takes requests."),
    maximumBody: z.int().min(1).default(1_048_576).describe("Bytes of a request's body at most."),
    maximumConnections: z
      .int()
      .min(1)
      .default(1_024)
      .describe("Connections at once at most; further ones are closed."),
    timeout: duration("10s").describe("For so long a request may take to arrive."),
    invokeTimeout: duration("25s").describe("How long an invocation waits for its run to end."),
    replayWindow: duration("72h").describe(
      "What a webhook tells may be so old; for so long a delivery is known again.",
    ),
    callers: z
      .record(z.string().min(1), caller)
      .default({})
      .describe(
        "Who may send events and commands and invoke functions: a name, then `tokenFile` (a bearer token) or `certificate` (its common name), and `may` (`events`, `commands`, `invoke`; default: all). Default: nobody.",
      ),
    triggers: z
      .object(
        Object.fromEntries(
          triggers.map(({ name }) => [
            name,
            z
              .object({
                secretFile: path
                  .optional()
                  .describe(
                    `File of the secret that \`POST /triggers/${name}\` is proved with. Default: there is none, and no such path.`,
                  ),
              })
              .prefault({}),
          ]),
        ),
      )
      .prefault({}),
    tls: z
      .object({
        certificate: path.describe("File of the server's certificate chain; read again as it changes."),
        key: path.describe("File of its key."),
        clientAuthority: path
          .optional()
          .describe(
            "File of the authority whose client certificates prove callers; read again as it changes. Default: none do.",
          ),
      })
      .optional(),
    certified: certified.optional(),
    admission: z
      .object({
        listen: address
          .prefault("127.0.0.1:8443")
          .describe("Where `serve` answers the API server's questions, by TLS."),
        certificate: path.describe(
          "File of the certificate that is shown to the API server; read again as it changes, waited for while it is missing.",
        ),
        key: path.describe("File of its key."),
      })
      .optional(),
  })
  .prefault({});

const log = z
  .object({
    level: z
      .enum(["debug", "info", "warn", "error", "silent"])
      .default("info")
      .describe("What is not worth telling is left out."),
  })
  .prefault({});

const traces = z
  .object({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "Where spans are sent by OTLP over HTTP: `http://collector:4318/v1/traces`. Default: nowhere.",
      ),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .meta({ secret: true })
      .describe("Sent along, for authentication."),
    sampled: z.number().min(0).max(1).default(1).describe("The share of traces that is sent."),
  })
  .prefault({});

const fixed = {
  cluster,
  home: z
    .object({
      namespace: z
        .string()
        .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, "the name of a namespace")
        .default(HOME_NAMESPACE)
        .describe(
          "The namespace of the installation: the Lease and the pauses of functions lie there. Who may write Leases and ConfigMaps in it decides over the installation.",
        ),
    })
    .prefault({}),
  namespaces: z
    .array(z.string().min(1))
    .optional()
    .describe("Watch and read in these namespaces alone, where the kinds allow it. Default: in all."),
  systems: z
    .array(z.string().min(1))
    .optional()
    .describe(
      "The systems to load. Default: all but those that run only where they are named; `none` alone: none.",
    ),
  functions: z.array(z.string().min(1)).default([]).describe("Modules of your own functions."),
  watcher,
  worker,
  runs,
  serve,
  health: z
    .object({
      listen: address
        .prefault("127.0.0.1:0")
        .describe(
          "Where `/healthz`, `/readyz` and `/metrics` answer; port 0 is a free one, told in the log.",
        ),
    })
    .prefault({}),
  metrics: z
    .object({
      listen: address.optional().describe("Where `/metrics` answers. Default: beside `/healthz`."),
    })
    .prefault({}),
  watchdog: z
    .object({
      limit: duration("30s")
        .refine((limit) => limit === 0 || limit >= 1_000, "write 1s or more, or 0s for no watchdog")
        .describe(
          "A worker whose event loop stands still for longer ends, with SIGALRM (142). At least 1s; `0s`: never.",
        ),
    })
    .prefault({}),
  drain: z
    .object({
      limit: duration("25s").describe(
        "How long runs may take to end after SIGTERM; what still runs is given back.",
      ),
    })
    .prefault({}),
  log,
  traces,
};

/** The settings of a bus are read only where it is chosen, or where they are given. */
const bus = z
  .object({
    kind: z
      .enum(["embedded", "nats", "sqs"])
      .default("embedded")
      .describe(
        "`embedded`: memory, a journal and a SQLite file of one process (`dev`, `run`). `nats`: NATS JetStream. `sqs`: SQS FIFO and DynamoDB.",
      ),
    embedded,
    nats: natsOptions.superRefine(refuseOtherCredentials).optional(),
    sqs: sqsOptions.optional(),
  })
  .prefault({});

const withoutSystems = z.object({ ...fixed, bus });
/** All settings, checked, with their defaults. Times are milliseconds. */
export type Settings = z.output<typeof withoutSystems> & {
  /** The systems' settings as they were given: each system checks and completes its part when it starts. */
  readonly configuration: Readonly<Record<string, unknown>>;
};

/** The one schema: the fixed part, and the configuration of each of these systems under its name. */
export function settingsSchema(systems: readonly System[]) {
  const configuration = Object.fromEntries(
    systems.map(({ name, config }): [string, z.ZodType] => [name, config.prefault({})]),
  );
  return z.object({ ...fixed, bus, configuration: z.object(configuration).prefault({}) });
}
