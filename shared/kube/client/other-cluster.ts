import { afterAwake } from "../../clock/awake.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { KubeClient } from "../client.ts";
import type { ClusterReference, ClustersStatics, ConnectionWord } from "../cluster-names.ts";
import { KubeError } from "../errors.ts";
import { createKubeClient } from "../http-client.ts";
import { KubeconfigError } from "../kubeconfig/errors.ts";
import { type ConnectionFromSecret, connectionFromSecret } from "../kubeconfig/from-secret.ts";
import type { KubeObject } from "../object.ts";
import type { AnswerTimes } from "./answer-times.ts";
import { ownApiProbe, PATIENCE_MILLISECONDS, probed } from "./api-probe.ts";
import { ClusterAwayError } from "./cluster-away.ts";
import { belonging } from "./cluster-mark.ts";
import { findSecret, type Standing, textIn, versionOf } from "./cluster-secret.ts";
import { ProbedConnection } from "./connection.ts";
import { farPolicy } from "./connection-state.ts";
import { guardedClient, type Send } from "./guarded-client.ts";

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
/** A request that takes longer has the cluster probed, so that one that hangs is noticed before the request's own limit. */
const SLOW_MILLISECONDS = 2_000;
const TIMEOUT_MILLISECONDS = 20_000;
/** One that nobody used for so long keeps nothing open: its server would end idle connections soon after. */
const REST_MILLISECONDS = 60_000;
/** A state that was asked for may be so old: whoever goes on from it and finds the cluster away waits for it anyway. */
const ASKED_MILLISECONDS = 30_000;
/** A Secret that is missing is looked for no more often. Whoever asks later may come because it is there by now. */
const MISSING_MILLISECONDS = 1_000;
/** The Secrets with the label of a cluster are looked through so rarely, where nothing is wrong with the one that is known. */
const LIST_MILLISECONDS = 5 * 60_000;
/** A probe over the connection that others use is given up after this; then one of its own is asked. */
const SHARED_MILLISECONDS = 1_000;

/** The refusals after which the cluster is probed; all others come from a server that answers. */
const SUSPICIOUS: ReadonlySet<string> = new Set(["unavailable", "unauthorized", "aborted"]);

export interface OtherClusterParts {
  readonly reference: ClusterReference;
  readonly clusters: ClustersStatics;
  readonly cluster: string;
  /** Reads the Secrets. */
  readonly home: Pick<KubeClient, "get" | "list">;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly allowProxy: boolean;
  /** The milliseconds for which its probe waits for an answer. Undefined: 3,000. */
  readonly patience: number | undefined;
  /** The answers of all clusters beside it. */
  readonly times: AnswerTimes;
  /** It went away, or came back. */
  readonly changed: (cluster: OtherCluster) => void;
}

interface Opened {
  /** The version of the Secret that it was made of. */
  readonly version: string;
  readonly client: KubeClient;
  readonly probe: ReturnType<typeof ownApiProbe>;
  readonly expires: number | undefined;
}

/** One of other clusters: its Secret, its connection behind one probe, and its client. */
export class OtherCluster {
  readonly reference: ClusterReference;
  /** Its client, for as long as the process lives: whichever Secret leads there. Throws a `ClusterAwayError` while it is away. */
  readonly client: KubeClient;
  readonly #parts: OtherClusterParts;
  readonly #connection: ProbedConnection;
  #opened: Opened | undefined;
  /** The version of the Secret that led to a cluster which bears its mark. */
  #ours: string | undefined;
  /** The name of the Secret that was used last. It outlasts a rest: who comes back reads it, and looks through no others. */
  #secret: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** When all Secrets were looked through that may be its. */
  #listedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<Standing> | undefined;
  #lacks: Standing | undefined;
  #inFlight = 0;
  /** The answers that let wait for so long that it is probed. */
  #overdue = 0;
  /** When the last request of others than its probe ended. */
  #usedAt = Number.NEGATIVE_INFINITY;
  /** When the last of them was answered, and when it had been sent. */
  #answered = { at: Number.NEGATIVE_INFINITY, sentAt: Number.NEGATIVE_INFINITY };
  /** The requests of clients that are closed, and how they were answered. */
  #past: Past = { requests: {}, answers: {} };
  #isSuspect = false;
  #isClosed = false;

  constructor(parts: OtherClusterParts) {
    const { reference, clock, log, random } = parts;
    this.#parts = parts;
    this.reference = reference;
    this.#connection = new ProbedConnection({
      name: reference,
      probe: () => this.#probe(),
      policy: farPolicy,
      clock,
      log,
      random,
      changed: () => parts.changed(this),
      isToCome: () => this.#lacks?.state === "no secret",
    });
    const send: Send = (signal, request, isWatch) => this.#send(signal, request, isWatch);
    this.client = guardedClient({
      send,
      requests: () => sumOf(this.#past.requests, this.#opened?.client.requests),
      answers: () => sumOf(this.#past.answers, this.#opened?.client.answers),
    });
  }

  /** True where nothing of it is in use. */
  get isIdle(): boolean {
    return this.#inFlight === 0;
  }

  /** True where somebody has waited for an answer for so long that it may hang, and no probe has decided yet. */
  get isSlow(): boolean {
    return this.#overdue > 0 && this.#connection.away === undefined;
  }

  /** True where what is known of it may be so no more. */
  get #isDoubtful(): boolean {
    const isMissing = this.#lacks?.state === "no secret";
    return this.#isSuspect || (isMissing && this.#parts.clock.now() - this.#lookedAt >= MISSING_MILLISECONDS);
  }

  /** Its state, as far as that is known without a request. */
  get standing(): Standing {
    const { away } = this.#connection;
    if (away === undefined) return { state: "reachable", reason: "" };
    return this.#lacks ?? { state: "unreachable", reason: away.reason };
  }

  /**
   * Its state by a question that is a few seconds old at most; while it is away, by its last probe, but a Secret that is missing is looked
   * for: whoever asks may have been told that it is there.
   */
  async look(): Promise<Standing> {
    const now = this.#parts.clock.now();
    if (this.#isDoubtful) await this.#again();
    // What was just answered proves as much as a probe.
    else if (this.#connection.away !== undefined || now - this.#answered.sentAt > ASKED_MILLISECONDS)
      await this.#checked();
    return this.standing;
  }

  async #checked(): Promise<void> {
    const { clock, times } = this.#parts;
    let isOverdue = false;
    const cancel = clock.after(times.limit(SLOW_MILLISECONDS), () => {
      isOverdue = true;
      this.#overdue += 1;
    });
    try {
      await this.#connection.check(ASKED_MILLISECONDS);
    } finally {
      cancel();
      if (isOverdue) this.#overdue -= 1;
    }
  }

  /**
   * Takes note of what somebody else found: where it contradicts what is known, that is not believed any more. The bus tells whoever begins
   * to wait what was so up to a minute ago, and what is known here may be newer.
   */
  heard(word: ConnectionWord, at: number): void {
    if (at < Math.max(this.#connection.askedAt, this.#answered.sentAt)) return;
    const isAway = this.#connection.away !== undefined;
    if (word === "otherwise" || isAway === (word === "there")) this.#isSuspect = true;
  }

  /** Probes it now. */
  async probe(): Promise<Standing> {
    await this.#again();
    return this.standing;
  }

  /** Closes what it has open where nobody used it lately. It is opened again when it is used. */
  rest(): void {
    const { clock } = this.#parts;
    const isResting = clock.now() - this.#usedAt >= REST_MILLISECONDS;
    const isBusy = !this.isIdle || this.#looking !== undefined || this.#connection.isAsking;
    // One that is away is probed.
    if (isResting && !isBusy && this.#connection.away === undefined) this.#close();
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.close();
    this.#close();
  }

  async #again(): Promise<void> {
    this.#isSuspect = false;
    this.#listedAt = Number.NEGATIVE_INFINITY;
    await this.#connection.again();
  }

  /** The reason why it cannot be used; undefined where it can. */
  async #probe(): Promise<string | undefined> {
    return (await this.#unanswered()) ?? (await this.#strange());
  }

  /**
   * The reason why it may not be used though it answers: it is somebody else's. It is asked until it bears its own mark, as another may take
   * it between two requests.
   */
  async #strange(): Promise<string | undefined> {
    const opened = this.#opened;
    if (opened === undefined || this.#ours === opened.version) return undefined;
    const { clusters, cluster, clock, times, patience = PATIENCE_MILLISECONDS } = this.#parts;
    const cut = new AbortController();
    const cancel = afterAwake(clock, times.limit(patience), () => cut.abort());
    try {
      const found = await belonging(opened.client, clusters, cluster, cut.signal);
      if (found.of === "self") this.#ours = opened.version;
      return found.of === "other" ? found.reason : undefined;
    } catch (thrown) {
      return `it does not say whose it is: ${messageOf(thrown)}`;
    } finally {
      cancel();
    }
  }

  async #unanswered(): Promise<string | undefined> {
    let standing: Standing;
    try {
      standing = await this.#look();
    } catch (thrown) {
      this.#lacks = undefined;
      return `its Secret could not be read: ${messageOf(thrown)}`;
    }
    if (standing.state !== "reachable" || this.#opened === undefined) return standing.reason;
    const { clock, times } = this.#parts;
    const began = clock.now();
    // Slow requests hold a probe up on the connection that they use; else it needs no other one.
    const shared = this.isIdle
      ? await probed(this.#opened.client, clock, times.limit(SHARED_MILLISECONDS))
      : undefined;
    if (shared?.isSaid === true) return shared.reason;
    const reason = await this.#opened?.probe.probe();
    // It is slow, and not away, where it answered somebody else meanwhile.
    return this.#answered.at > began ? undefined : reason;
  }

  /** Looks at the Secret, and opens a client where it is another one. */
  #look(): Promise<Standing> {
    this.#looking ??= this.#lookAtSecret().finally(() => {
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
      this.#close();
      this.#secret = undefined;
      this.#lacks = found.lacks;
      return found.lacks;
    }
    const { secret } = found;
    if (versionOf(secret) !== known) {
      this.#close();
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
    if (this.#isClosed) return;
    this.#secret = secret.metadata.name;
    this.#opened = {
      version: versionOf(secret),
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

  #close(): void {
    if (this.#opened === undefined) return;
    const { client, probe } = this.#opened;
    const { requests, answers } = this.#past;
    this.#past = { requests: sumOf(requests, client.requests), answers: sumOf(answers, client.answers) };
    client.close();
    probe.close();
    this.#opened = undefined;
  }

  #away(cause?: unknown): ClusterAwayError {
    return new ClusterAwayError(this.reference, this.standing, cause);
  }

  /** The client to ask now; its Secret was looked at lately. */
  async #ready(): Promise<KubeClient> {
    if (this.#isDoubtful) await this.#again();
    if ((await this.#connection.blocked()) !== undefined) throw this.#away();
    const { clock } = this.#parts;
    const ends = this.#opened?.expires ?? Number.POSITIVE_INFINITY;
    const isFresh =
      clock.now() - this.#lookedAt < LOOK_MILLISECONDS && clock.now() < ends - BEFORE_END_MILLISECONDS;
    if (this.#opened === undefined || !isFresh) {
      const standing = await this.#look();
      // The probe decides whether it is away: it finds the same, and goes on looking.
      if (standing.state !== "reachable" && (await this.#connection.again()) !== undefined)
        throw this.#away();
    }
    if ((await this.#strange()) !== undefined && (await this.#connection.again()) !== undefined)
      throw this.#away();
    if (this.#opened === undefined) throw new ClusterAwayError(this.reference, this.#lacks ?? NOT_OPEN);
    return this.#opened.client;
  }

  async #send<T>(
    signal: AbortSignal | undefined,
    request: (client: KubeClient, signal: AbortSignal) => Promise<T>,
    isWatch: boolean,
  ): Promise<T> {
    const client = await this.#ready();
    try {
      return await this.#guarded(client, signal, request, isWatch);
    } catch (thrown) {
      if (signal?.aborted === true || !(thrown instanceof KubeError) || !SUSPICIOUS.has(thrown.kind))
        throw thrown;
      if ((await this.#connection.check()) !== undefined) throw this.#away(thrown);
      // Its Secret is another one by now, with other credentials or for another server: a cluster may be made anew under its name.
      const now = this.#opened?.client;
      if (thrown.kind === "aborted" || now === undefined || now === client) throw thrown;
      return await this.#guarded(now, signal, request, isWatch);
    }
  }

  /** Sends a request that is cut off once a probe says that the cluster is away. */
  async #guarded<T>(
    client: KubeClient,
    signal: AbortSignal | undefined,
    request: (client: KubeClient, signal: AbortSignal) => Promise<T>,
    isWatch: boolean,
  ): Promise<T> {
    const cut = new AbortController();
    const both = signal === undefined ? cut.signal : AbortSignal.any([signal, cut.signal]);
    const { clock, times } = this.#parts;
    let isOver = false;
    let isOverdue = false;
    let cancel = (): void => undefined;
    const watchOver = (): void => {
      cancel = clock.after(times.limit(SLOW_MILLISECONDS), () => {
        if (!isOverdue) this.#overdue += 1;
        isOverdue = true;
        void this.#connection.check().then((away) => {
          if (away !== undefined) cut.abort(this.#away());
          else if (!isOver) watchOver();
        });
      });
    };
    // Not every request takes a signal.
    const cutOff = new Promise<never>((_, reject) => {
      cut.signal.addEventListener("abort", () => reject(cut.signal.reason), { once: true });
    });
    if (!isWatch) watchOver();
    this.#inFlight += 1;
    const sentAt = clock.now();
    try {
      const answer = await Promise.race([request(client, both), cutOff]);
      if (!isWatch) {
        this.#answered = { at: clock.now(), sentAt };
        times.took(this.#answered.at - sentAt);
      }
      return answer;
    } finally {
      isOver = true;
      this.#inFlight -= 1;
      if (isOverdue) this.#overdue -= 1;
      this.#usedAt = clock.now();
      cancel();
    }
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

const NOT_OPEN: Standing = { state: "unreachable", reason: "its connection is closed" };

function connectionFrom(
  secret: Parameters<typeof textIn>[0],
  key: string,
  where: string,
  { clock, allowProxy }: Pick<OtherClusterParts, "clock" | "allowProxy">,
): ConnectionFromSecret {
  const text = textIn(secret, key);
  if (text === undefined)
    throw new KubeconfigError("KUBECONFIG_INVALID", `${where}: the Secret has no such key`);
  return connectionFromSecret(text, { where, clock, allowProxy });
}
