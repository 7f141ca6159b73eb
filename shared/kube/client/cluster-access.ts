import type { Clock } from "../../clock/clock.ts";
import type { KubeClient } from "../client.ts";
import type { ClustersStatics } from "../cluster-names.ts";
import { createKubeClient } from "../http-client.ts";
import { KubeconfigError } from "../kubeconfig/errors.ts";
import { type ConnectionFromSecret, connectionFromSecret } from "../kubeconfig/from-secret.ts";
import type { KubeObject } from "../object.ts";
import type { AnswerTimes } from "./answer-times.ts";
import { ownApiProbe, PATIENCE_MILLISECONDS } from "./api-probe.ts";
import { findSecret, type Standing, textIn, versionOf } from "./cluster-secret.ts";

/**
 * Requests in flight to one cluster, at most, besides watches and a probe: its API server has other users, and does not feel that many keys
 * run once it is back. Each connection costs a handshake and memory on both sides, and there are thousands of clusters.
 */
const CONCURRENT_REQUESTS = 2;
/** A connection that carries nothing for so long is closed: a key makes its requests in one go, and the next one may come in hours. */
const IDLE_MILLISECONDS = 10_000;
/** A client is used for so long before its Secret is looked at again. */
const LOOK_MILLISECONDS = 30_000;
/** So long before the end of its credentials the Secret is looked at each time: somebody may have renewed it. */
const BEFORE_END_MILLISECONDS = 60_000;
const TIMEOUT_MILLISECONDS = 20_000;
/** The Secrets with the label of a cluster are looked through so rarely, where nothing is wrong with the one that is known. */
const LIST_MILLISECONDS = 5 * 60_000;

export interface ClusterAccessParts {
  readonly clusters: ClustersStatics;
  readonly cluster: string;
  /** Reads the Secrets. */
  readonly home: Pick<KubeClient, "get" | "list">;
  readonly clock: Clock;
  readonly allowProxy: boolean;
  /** The milliseconds for which its probe waits for an answer. Undefined: 3,000. */
  readonly patience: number | undefined;
  /** The answers of all clusters beside it. */
  readonly times: AnswerTimes;
}

interface Opened {
  /** The version of the Secret that it was made of. */
  readonly version: string;
  /** The Secret itself, by what tells it from others. */
  readonly secret: Pick<KubeObject["metadata"], "namespace" | "name" | "uid">;
  readonly client: KubeClient;
  readonly probe: ReturnType<typeof ownApiProbe>;
  readonly expires: number | undefined;
}

/** The way to one of other clusters: its Secret, and the client that is made of it. */
export class ClusterAccess {
  readonly #parts: ClusterAccessParts;
  #opened: Opened | undefined;
  #lacks: Standing | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The name of the Secret that was used last. It outlasts a rest: who comes back reads it, and looks through no others. */
  #secret: string | undefined;
  /** When all Secrets were looked through that may be its. */
  #listedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<Standing> | undefined;
  /** The requests of clients that are closed, and how they were answered. */
  #past: Past = { requests: {}, answers: {} };
  #isEnded = false;

  constructor(parts: ClusterAccessParts) {
    this.#parts = parts;
  }

  /** Its client and its probe; undefined where it is closed, or its Secret leads nowhere. */
  get opened(): Opened | undefined {
    return this.#opened;
  }

  /** The reason why there is no way to it; undefined where there is one, or nobody knows. */
  get lacks(): Standing | undefined {
    return this.#lacks;
  }

  /** When its Secret was looked at. */
  get lookedAt(): number {
    return this.#lookedAt;
  }

  get isLooking(): boolean {
    return this.#looking !== undefined;
  }

  /** True where it is open, and its Secret was looked at lately. */
  get isFresh(): boolean {
    if (this.#opened === undefined) return false;
    const now = this.#parts.clock.now();
    const { expires = Number.POSITIVE_INFINITY } = this.#opened;
    return now - this.#lookedAt < LOOK_MILLISECONDS && now < expires - BEFORE_END_MILLISECONDS;
  }

  /** The requests of all its clients, by verb. */
  get requests(): Counts {
    return sumOf(this.#past.requests, this.#opened?.client.requests);
  }

  /** The answers to all its clients, by verb and code. */
  get answers(): Counts {
    return sumOf(this.#past.answers, this.#opened?.client.answers);
  }

  /** Has the next look go through all Secrets that may be its. */
  doubtName(): void {
    this.#listedAt = Number.NEGATIVE_INFINITY;
  }

  /** Looks at the Secret, and opens a client where it is another one. Throws the `KubeError` of the home. */
  look(): Promise<Standing> {
    this.#looking ??= this.#lookAtSecret()
      .catch((thrown: unknown) => {
        this.#lacks = undefined;
        throw thrown;
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #lookAtSecret(): Promise<Standing> {
    const { home, clusters, cluster, clock } = this.#parts;
    const known = this.#opened?.version;
    const began = clock.now();
    const named = began - this.#listedAt < LIST_MILLISECONDS ? this.#secret : undefined;
    let found = await findSecret(home, clusters, cluster, known !== undefined, named);
    if ("lacks" in found ? named !== undefined : known !== undefined && versionOf(found.secret) !== known) {
      found = await findSecret(home, clusters, cluster, false);
      this.#listedAt = began;
    } else if (named === undefined) this.#listedAt = began;
    this.#lookedAt = began;
    if ("lacks" in found) {
      this.close();
      this.#secret = undefined;
      this.#lacks = found.lacks;
      return found.lacks;
    }
    const { secret } = found;
    if (versionOf(secret) !== known) {
      this.close();
      const { namespace, name } = secret.metadata;
      const where = `Secret ${namespace}/${name}, key ${clusters.secret.key}`;
      try {
        this.#open(secret, connectionFrom(secret, clusters.secret.key, where, this.#parts));
      } catch (thrown) {
        if (!(thrown instanceof KubeconfigError)) throw thrown;
        this.#lacks = { state: "unreachable", reason: thrown.message };
        return this.#lacks;
      }
    }
    this.#lacks = undefined;
    return { state: "reachable", reason: "" };
  }

  #open(secret: KubeObject, connection: ConnectionFromSecret): void {
    const { clock, times, patience = PATIENCE_MILLISECONDS } = this.#parts;
    if (this.#isEnded) return;
    this.#secret = secret.metadata.name;
    this.#opened = {
      version: versionOf(secret),
      secret: { namespace: secret.metadata.namespace, name: secret.metadata.name, uid: secret.metadata.uid },
      client: createKubeClient({
        connection,
        clock,
        concurrentWrites: CONCURRENT_REQUESTS,
        maxSockets: CONCURRENT_REQUESTS,
        idleMilliseconds: IDLE_MILLISECONDS,
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        throttledMilliseconds: 0,
      }),
      probe: ownApiProbe(connection, clock, () => times.limit(patience)),
      expires: connection.expires,
    };
  }

  /** Closes what is open. It is opened again by the next look. */
  close(): void {
    if (this.#opened === undefined) return;
    const { client, probe } = this.#opened;
    const { requests, answers } = this.#past;
    this.#past = { requests: sumOf(requests, client.requests), answers: sumOf(answers, client.answers) };
    client.close();
    probe.close();
    this.#opened = undefined;
  }

  /** Closes it for good. */
  end(): void {
    this.#isEnded = true;
    this.close();
  }
}

type Counts = Readonly<Record<string, number>>;
interface Past {
  readonly requests: Counts;
  readonly answers: Counts;
}

const sumOf = (past: Counts, now: Counts = {}): Counts => {
  const sum: Record<string, number> = { ...past };
  for (const [name, count] of Object.entries(now)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
};

function connectionFrom(
  secret: Parameters<typeof textIn>[0],
  key: string,
  where: string,
  { clock, allowProxy }: Pick<ClusterAccessParts, "clock" | "allowProxy">,
): ConnectionFromSecret {
  const text = textIn(secret, key);
  if (text === undefined)
    throw new KubeconfigError("KUBECONFIG_INVALID", `${where}: the Secret has no such key`);
  return connectionFromSecret(text, { where, clock, allowProxy });
}
