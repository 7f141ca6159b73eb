import { afterAwake } from "../../clock/awake.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { KubeClient } from "../client.ts";
import type { ClusterReference, ConnectionWord } from "../cluster-names.ts";
import { KubeError } from "../errors.ts";
import { PATIENCE_MILLISECONDS, probed } from "./api-probe.ts";
import { ClusterAccess, type ClusterAccessParts } from "./cluster-access.ts";
import { ClusterAwayError } from "./cluster-away.ts";
import { belonging, homeItself } from "./cluster-mark.ts";
import type { Standing } from "./cluster-secret.ts";
import { ProbedConnection } from "./connection.ts";
import { farPolicy } from "./connection-state.ts";
import { guardedClient, type Send } from "./guarded-client.ts";

/** A request that takes longer has the cluster probed, so that one that hangs is noticed before the request's own limit. */
const SLOW_MILLISECONDS = 2_000;
/** One that nobody used for so long keeps nothing open: its server would end idle connections soon after. */
const REST_MILLISECONDS = 60_000;
/** A state that was asked for may be so old: whoever goes on from it and finds the cluster away waits for it anyway. */
const ASKED_MILLISECONDS = 30_000;
/** A Secret that is missing is looked for no more often. Whoever asks later may come because it is there by now. */
const MISSING_MILLISECONDS = 1_000;
/** A probe over the connection that others use is given up after this; then one of its own is asked. */
const SHARED_MILLISECONDS = 1_000;

/** The refusals after which the cluster is probed; all others come from a server that answers. */
const SUSPICIOUS: ReadonlySet<string> = new Set(["unavailable", "unauthorized", "aborted"]);

export interface OtherClusterParts extends ClusterAccessParts {
  readonly reference: ClusterReference;
  readonly log: Log;
  readonly random: () => number;
  /** It went away, or came back. */
  readonly changed: (cluster: OtherCluster) => void;
}

/** One of other clusters: its Secret, its connection behind one probe, and its client. */
export class OtherCluster {
  readonly reference: ClusterReference;
  /** Its client, for as long as the process lives: whichever Secret leads there. Throws a `ClusterAwayError` while it is away. */
  readonly client: KubeClient;
  readonly #parts: OtherClusterParts;
  readonly #connection: ProbedConnection;
  readonly #access: ClusterAccess;
  /** The version of the Secret that led to a cluster which bears its mark. */
  #ours: string | undefined;
  /** The version of the Secret that led to another cluster than the Secret's own. */
  #elsewhere: string | undefined;
  #inFlight = 0;
  /** The answers that let wait for so long that it is probed. */
  #overdue = 0;
  /** When the last request of others than its probe ended. */
  #usedAt = Number.NEGATIVE_INFINITY;
  /** When the last of them was answered, and when it had been sent. */
  #answered = { at: Number.NEGATIVE_INFINITY, sentAt: Number.NEGATIVE_INFINITY };
  #isSuspect = false;

  constructor(parts: OtherClusterParts) {
    const { reference, clock, log, random } = parts;
    this.#parts = parts;
    this.reference = reference;
    this.#access = new ClusterAccess(parts);
    this.#connection = new ProbedConnection({
      name: reference,
      probe: () => this.#probe(),
      policy: farPolicy,
      clock,
      log,
      random,
      changed: () => parts.changed(this),
      isToCome: () => this.#access.lacks?.state === "no secret",
    });
    const send: Send = (signal, request, isWatch) => this.#send(signal, request, isWatch);
    this.client = guardedClient({
      send,
      requests: () => this.#access.requests,
      answers: () => this.#access.answers,
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
    const isMissing = this.#access.lacks?.state === "no secret";
    return (
      this.#isSuspect ||
      (isMissing && this.#parts.clock.now() - this.#access.lookedAt >= MISSING_MILLISECONDS)
    );
  }

  /** True where it is not known to bear its own mark. */
  get #isUnmarked(): boolean {
    if (this.#parts.clusters.mark === undefined) return false;
    return this.#ours === undefined || this.#ours !== (this.#access.opened?.version ?? this.#ours);
  }

  /** Its state, as far as that is known without a request. */
  get standing(): Standing {
    const { away } = this.#connection;
    if (away === undefined)
      return { state: "reachable", reason: "", ...(this.#isUnmarked && { isUnmarked: true }) };
    return this.#access.lacks ?? { state: "unreachable", reason: away.reason };
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
    if (this.#connection.away === undefined && (await this.#strange()) !== undefined) await this.#again();
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
    const isBusy = !this.isIdle || this.#access.isLooking || this.#connection.isAsking;
    // One that is away is probed.
    if (isResting && !isBusy && this.#connection.away === undefined) this.#access.close();
  }

  close(): void {
    this.#connection.close();
    this.#access.end();
  }

  async #again(): Promise<void> {
    this.#isSuspect = false;
    this.#access.doubtName();
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
    const opened = this.#access.opened;
    if (opened === undefined || this.#ours === opened.version) return undefined;
    const { clusters, cluster, clock, times, patience = PATIENCE_MILLISECONDS } = this.#parts;
    const cut = new AbortController();
    const cancel = afterAwake(clock, times.limit(patience), () => cut.abort());
    try {
      if (clusters.mark !== undefined && this.#elsewhere !== opened.version) {
        const reason = await homeItself(opened.client, opened.secret, cut.signal);
        if (reason !== undefined) return reason;
        this.#elsewhere = opened.version;
      }
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
      standing = await this.#access.look();
    } catch (thrown) {
      return `its Secret could not be read: ${messageOf(thrown)}`;
    }
    if (standing.state !== "reachable" || this.#access.opened === undefined) return standing.reason;
    const { clock, times } = this.#parts;
    const began = clock.now();
    // Slow requests hold a probe up on the connection that they use; else it needs no other one.
    const shared = this.isIdle
      ? await probed(this.#access.opened.client, clock, times.limit(SHARED_MILLISECONDS))
      : undefined;
    if (shared?.isSaid === true) return shared.reason;
    const reason = await this.#access.opened?.probe.probe();
    // It is slow, and not away, where it answered somebody else meanwhile.
    return this.#answered.at > began ? undefined : reason;
  }

  #away(cause?: unknown): ClusterAwayError {
    return new ClusterAwayError(this.reference, this.standing, cause);
  }

  /** The client to ask now; its Secret was looked at lately. */
  async #ready(): Promise<KubeClient> {
    if (this.#isDoubtful) await this.#again();
    if ((await this.#connection.blocked()) !== undefined) throw this.#away();
    if (!this.#access.isFresh) {
      const standing = await this.#access.look();
      // The probe decides whether it is away: it finds the same, and goes on looking.
      if (standing.state !== "reachable" && (await this.#connection.again()) !== undefined)
        throw this.#away();
    }
    if ((await this.#strange()) !== undefined && (await this.#connection.again()) !== undefined)
      throw this.#away();
    if (this.#access.opened === undefined)
      throw new ClusterAwayError(this.reference, this.#access.lacks ?? NOT_OPEN);
    return this.#access.opened.client;
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
      const now = this.#access.opened?.client;
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

const NOT_OPEN: Standing = { state: "unreachable", reason: "its connection is closed" };
