import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { formerOf, HomeMissingError, inHome } from "../../shared/kube/home.ts";
import type { Log } from "../../shared/log/log.ts";
import { LEASES, type LeaseRecord, leaseBody, readLease } from "./lease.ts";
import type { LeaderPositions } from "./standby.ts";

/** The Lease and its times in milliseconds. */
export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** A leader that is silent for so long is succeeded. Default 15 s. */
  readonly duration?: number | undefined;
  /** A leader that could not renew for so long publishes no more. Default 10 s. */
  readonly deadline?: number | undefined;
  /** Default 5 s. */
  readonly renew?: number | undefined;
  /** The pause after a failure. Default 2 s. */
  readonly retry?: number | undefined;
}

export interface ElectionContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly identity: string;
  /** The positions that the Lease tells at each renewal. */
  readonly positions: () => LeaderPositions;
  /** Called for each state of the Lease that is seen, our own renewals included, before `onChange`. */
  readonly onLease: (lease: LeaseRecord) => void;
  /** Leadership was won or lost. */
  readonly onChange: () => void;
  /** Leadership was won, before `onChange`: what the Lease said; undefined where there was none. */
  readonly onWon: (found: LeaseRecord | undefined) => void;
}

type Standing =
  | { readonly name: "unknown" }
  /** `since`: when this state of the Lease was first seen, by our own clock. */
  | { readonly name: "standby"; readonly lease: LeaseRecord; readonly since: number }
  | {
      readonly name: "leading";
      readonly lease: LeaseRecord;
      readonly acquiredAt: number;
      readonly renewedAt: number;
    };

/** The Lease is no longer as it was read. */
const isOutdated = (error: unknown): boolean =>
  error instanceof KubeError && ["stale", "missing", "gone", "exists"].includes(error.kind);

/** Keeps publishing to one watcher of a cluster. Two at once are harmless: they derive the same ids. */
export class Election {
  readonly #context: ElectionContext;
  readonly #options: Required<{ readonly [P in keyof LeaseOptions]: NonNullable<LeaseOptions[P]> }>;
  readonly #stop = new AbortController();
  #standing: Standing = { name: "unknown" };
  /** Carried along from one leader to the next until another is set. */
  #publishedFor: string | undefined;
  /** The words of its lead that no write has brought into the Lease yet. */
  #unsaid: string | undefined;
  /** Ends the pause before the next renewal. */
  #hurry = new AbortController();
  #running: Promise<void> | undefined;

  constructor(context: ElectionContext, options: LeaseOptions) {
    this.#context = context;
    const { namespace, name, duration = 15_000, deadline = 10_000, renew = 5000, retry = 2000 } = options;
    this.#options = { namespace, name, duration, deadline, renew, retry };
  }

  /** True only while nobody else may believe to be the leader. */
  get leads(): boolean {
    return (
      this.#standing.name === "leading" &&
      this.#context.clock.now() < this.#standing.renewedAt + this.#options.deadline
    );
  }

  /** The number of times that the Lease changed hands; undefined before it was read. */
  get term(): number | undefined {
    return this.#standing.name === "unknown" ? undefined : this.#standing.lease.transitions;
  }

  get holder(): string | undefined {
    return this.#standing.name === "unknown" ? undefined : this.#standing.lease.holder;
  }

  start(): void {
    this.#running ??= this.#run(this.#stop.signal);
  }

  /**
   * Says in the Lease, at once, for what a leader publishes. Where it does not lead at the moment, it says so when it leads again,
   * unless another watcher led meanwhile: that one's word counts.
   */
  publishesFor(text: string): void {
    const leading = this.#standing.name === "leading";
    if (leading && this.#publishedFor === text) return;
    this.#unsaid = text;
    if (!leading) return;
    this.#publishedFor = text;
    this.#hurry.abort();
  }

  /** Gives the Lease back, so that the next one need not wait. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#hurry.abort();
    await this.#running;
    if (this.#standing.name !== "leading") return;
    try {
      await this.#release(this.#standing.lease, this.#standing.acquiredAt);
    } catch (error) {
      this.#context.log.warn(
        { error: messageOf(error) },
        "The Lease could not be released: the next leader waits until it ends",
      );
    }
    this.#standing = { name: "unknown" };
  }

  async #release(lease: LeaseRecord, acquiredAt: number): Promise<void> {
    try {
      await this.#write(lease, { released: true, acquiredAt });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      const found = await this.#read();
      if (found?.holder === this.#context.identity) await this.#write(found, { released: true, acquiredAt });
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    let told = false;
    while (!signal.aborted) {
      let pause: number;
      this.#hurry = new AbortController();
      try {
        pause = this.#standing.name === "leading" ? await this.#renew() : await this.#observe(signal);
        told = false;
      } catch (error) {
        if (signal.aborted) return;
        if (!told) log.warn({ error: messageOf(error) }, "The Lease cannot be read or written: trying again");
        told = true;
        this.#giveUpIfLate();
        // What only somebody with more rights can mend is not asked for every other second.
        pause = error instanceof HomeMissingError ? this.#options.duration : this.#options.retry;
      }
      try {
        await clock.sleep(pause, this.#hurry.signal);
      } catch (reason) {
        if (!this.#hurry.signal.aborted) throw reason;
      }
    }
  }

  #giveUpIfLate(): void {
    if (this.#standing.name !== "leading" || this.leads) return;
    this.#context.log.warn({}, "The Lease could not be renewed in time: no longer the leader");
    this.#standing = { name: "unknown" };
    this.#context.onChange();
  }

  async #renew(): Promise<number> {
    if (this.#standing.name !== "leading") return 0;
    const { lease, acquiredAt } = this.#standing;
    try {
      await this.#hold(lease, acquiredAt);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      // Somebody wrote to it, or removed it: who holds it now decides.
      const found = await this.#read();
      if (found === undefined || found.holder === this.#context.identity) await this.#hold(found, acquiredAt);
      else this.#lose(found);
    }
    return this.#options.renew;
  }

  /**
   * Reads the Lease, and takes it where it is free. Else waits for a change of it, or its end. Where there is none yet, one that lies
   * where Leases lay before counts as it: whoever leads there is waited for, and what it says is known.
   */
  async #observe(signal: AbortSignal): Promise<number> {
    const { clock, identity } = this.#context;
    const found = await this.#read();
    const before = found === undefined ? await this.#readFormer() : undefined;
    const lease = found ?? before;
    if (lease === undefined || lease.holder === "" || lease.holder === identity || this.#hasEnded(lease)) {
      try {
        await this.#hold(found, clock.now(), before);
        return this.#options.renew;
      } catch (error) {
        // Another one was faster.
        if (isOutdated(error)) return 0;
        throw error;
      }
    }
    this.#stand(lease);
    if (before !== undefined) return this.#options.retry;
    await this.#watch(lease, signal);
    return 0;
  }

  #hasEnded(lease: LeaseRecord): boolean {
    const { name } = this.#standing;
    if (name !== "standby") return false;
    const { lease: known, since } = this.#standing as Extract<Standing, { name: "standby" }>;
    return (
      known.resourceVersion === lease.resourceVersion &&
      this.#context.clock.now() >= since + lease.durationMilliseconds
    );
  }

  #stand(lease: LeaseRecord): void {
    const known = this.#standing;
    if (known.name === "standby" && known.lease.resourceVersion === lease.resourceVersion) return;
    this.#standing = { name: "standby", lease, since: this.#context.clock.now() };
    this.#context.onLease(lease);
    if (known.name !== "standby") this.#context.onChange();
  }

  /** Resolves when the Lease is free, or may be. */
  async #watch(lease: LeaseRecord, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#context;
    const { name, namespace } = this.#options;
    // It may have come while the Lease was read: an abort that has been is not told again.
    if (signal.aborted) return;
    const over = new AbortController();
    const stop = (): void => over.abort();
    signal.addEventListener("abort", stop, { once: true });
    let cancel = clock.after(lease.durationMilliseconds, stop);
    try {
      const end = await client.watch(LEASES, {
        namespace,
        fieldSelector: `metadata.name=${name}`,
        resourceVersion: lease.resourceVersion,
        signal: over.signal,
        onEvent: (event) => {
          if (event.type === "BOOKMARK") return;
          if (event.type === "DELETED" || event.type === "ERROR") return stop();
          const seen = readLease(event.object);
          this.#stand(seen);
          cancel();
          cancel = clock.after(seen.durationMilliseconds, stop);
          if (seen.holder === "") stop();
        },
      });
      if (end.reason !== "aborted") await clock.sleep(this.#options.retry, over.signal);
    } catch (error) {
      if (over.signal.aborted) return;
      // Without the right to watch it, or while the server cannot: look again and again.
      if (!(error instanceof KubeError)) throw error;
      await clock.sleep(this.#options.retry, over.signal).catch((reason: unknown) => {
        if (!over.signal.aborted) throw reason;
      });
    } finally {
      cancel();
      signal.removeEventListener("abort", stop);
    }
  }

  #lose(lease: LeaseRecord): void {
    this.#context.log.warn({ holder: lease.holder }, "Another watcher took the Lease");
    this.#stand(lease);
  }

  /** @param before the Lease where it lay before, where there is none yet */
  async #hold(found: LeaseRecord | undefined, acquiredAt: number, before?: LeaseRecord): Promise<void> {
    const { clock, identity, log, onLease, onChange, onWon } = this.#context;
    // Counted from before the request: the server may have taken it at once.
    const renewedAt = clock.now();
    const isNew = this.#standing.name !== "leading";
    // Told before it is overwritten: its era may be higher than ours.
    const stood = found ?? before;
    const unsaid = stood?.holder === identity ? this.#unsaid : undefined;
    const known = stood && unsaid !== undefined ? { ...stood, publishedFor: unsaid } : stood;
    if (isNew && known !== undefined) onLease(known);
    if (isNew) this.#publishedFor = known?.publishedFor;
    const led = this.leads;
    const lease = await this.#write(found, { released: false, acquiredAt });
    if (isNew || lease.publishedFor === this.#unsaid) this.#unsaid = undefined;
    this.#standing = { name: "leading", lease, acquiredAt, renewedAt };
    if (isNew) {
      log.info({ identity, term: lease.transitions }, "This watcher leads");
      onWon(known);
    }
    // Also after a renewal that was late: publishing had stopped.
    if (isNew || !led) onChange();
  }

  async #read(): Promise<LeaseRecord | undefined> {
    const { namespace, name } = this.#options;
    const object = await this.#context.client.get(LEASES, { namespace, name });
    return object === undefined ? undefined : readLease(object);
  }

  async #readFormer(): Promise<LeaseRecord | undefined> {
    const { name, namespace } = this.#options;
    const former = formerOf(namespace);
    if (former === undefined) return undefined;
    try {
      const object = await this.#context.client.get(LEASES, { namespace: former, name });
      return object === undefined ? undefined : readLease(object);
    } catch (error) {
      // Without the right to look there, nobody leads there as far as can be known: two at once are harmless.
      if (error instanceof KubeError && error.kind === "forbidden") return undefined;
      throw error;
    }
  }

  async #write(
    found: LeaseRecord | undefined,
    { released, acquiredAt }: { readonly released: boolean; readonly acquiredAt: number },
  ): Promise<LeaseRecord> {
    const { client, clock, identity, positions } = this.#context;
    const { namespace, name, duration } = this.#options;
    const body = leaseBody({
      namespace,
      name,
      identity,
      durationMilliseconds: duration,
      transitions: found === undefined ? 0 : found.transitions + (found.holder === identity ? 0 : 1),
      acquiredAt,
      now: clock.now(),
      released,
      positions: positions(),
      publishedFor: this.#publishedFor,
      resourceVersion: found?.resourceVersion,
      uid: found?.uid,
    });
    const options = { fieldManager: "reveille-watcher" };
    const written =
      found === undefined
        ? await inHome(client, namespace, () => client.create(LEASES, body, options))
        : await client.replace(LEASES, { namespace, name }, body, options);
    return readLease(written);
  }
}
