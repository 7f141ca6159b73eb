import type { Envelope } from "../../../events/index.ts";
import type { Bus } from "../../bus/contract.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Beat, BeatingTrigger, BeatNews } from "../../function/trigger.ts";
import type { KubeClient } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import { inHome } from "../../kube/home.ts";
import { resourceOf } from "../../kube/kind.ts";
import { Lease } from "../../kube/kinds/index.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Log } from "../../log/log.ts";
import { type BeatEar, eventOf, type HeardBeat } from "../http/index.ts";
import { BeatBook, type Heard, newsOf } from "./beat-book.ts";
import {
  type AllHeard,
  type HearingHost,
  HOST_LABEL,
  HOST_SECONDS,
  heardLeases,
  hearingHosts,
  isGone,
} from "./heard-leases.ts";

export interface BeatKeeperOptions {
  readonly client: Pick<KubeClient, "list" | "apply" | "delete" | "create">;
  readonly bus: Pick<Bus, "publish" | "ready">;
  readonly triggers: readonly BeatingTrigger[];
  /** The namespace of the hosts' Leases. */
  readonly namespace: string;
  /** Names this start of the process. */
  readonly host: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The time between two looks at what other hosts heard. */
const LOOK = 30_000;
/** Events that are published at once. */
const BATCH = 500;
const LEASES = resourceOf(Lease);
const MANAGER = { fieldManager: "reveille-beats" } as const;

/**
 * Remembers who beats, and tells of nothing but news: who is new, what was missed, who is silent. Every half minute it says in a Lease of its
 * own what it heard, and reads those of the other hosts. Silence is told once all others have said that they heard nothing later; what a host
 * heard that is gone, the others take over. So any of several hosts may hear a beat, and any may die.
 */
export class BeatKeeper implements BeatEar {
  readonly #options: BeatKeeperOptions;
  readonly #books: ReadonlyMap<BeatingTrigger, BeatBook>;
  #others: readonly HearingHost[] = [];
  /** The first of the looks in a row that succeeded, and the last. */
  #steady: { readonly since: number; readonly last: number } | undefined;
  /** The last time at which it said what it heard. */
  #said: number | undefined;
  #leases: readonly string[] = [];
  #isFull = false;
  #isFailing = false;
  #cancel: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: BeatKeeperOptions) {
    this.#options = options;
    this.#books = new Map(options.triggers.map((trigger) => [trigger, new BeatBook()]));
  }

  /** Resolves once it has looked what other hosts hear, or cannot. */
  async start(): Promise<void> {
    await this.#turn();
    this.#next();
  }

  /** The senders that it remembers, by trigger. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.#books].map(([{ name }, { size }]) => [name, size]));
  }

  /** Resolves once the present look has ended. */
  idle(): Promise<void> {
    return this.#looking;
  }

  /** Says for the last time what it heard, for whoever comes after. */
  async stop(): Promise<void> {
    this.#cancel();
    await this.#looking;
    const { log } = this.#options;
    try {
      if ([...this.#books.values()].some(({ size }) => size > 0)) await this.#say();
      else await this.#unsay(0);
    } catch (thrown) {
      log.warn({ error: messageOf(thrown) }, "cannot say who was heard last: other hosts know it of before");
    }
  }

  /** Hears a beat. Its notices are to be published before it is noted. */
  hear(trigger: BeatingTrigger, sender: string, beat: Beat): HeardBeat {
    const { clock, host, log } = this.#options;
    const now = clock.now();
    const { states, note } = this.#bookOf(trigger).hear(sender, beat, now, this.#elsewhere(trigger, sender));
    return {
      notices: states.map((state) => trigger.beats(newsOf(state, sender, now, host))),
      note: () => {
        const hasRoom = note();
        if (!hasRoom && !this.#isFull)
          log.warn(
            { trigger: trigger.name, senders: this.#bookOf(trigger).size },
            "more senders beat than one host remembers: the others count as silent",
          );
        this.#isFull = !hasRoom;
      },
    };
  }

  #bookOf(trigger: BeatingTrigger): BeatBook {
    const book = this.#books.get(trigger);
    if (book === undefined) throw new TypeError(`The trigger ${trigger.name} is not one of this host's.`);
    return book;
  }

  /** The last beat of a sender that another host heard. */
  #elsewhere({ name }: BeatingTrigger, sender: string): Heard | undefined {
    let last: Heard | undefined;
    for (const { heard } of this.#others) {
      const one = heard.get(name)?.get(sender);
      if (one !== undefined && (last === undefined || one.heard > last.heard)) last = one;
    }
    return last;
  }

  #next(): void {
    this.#cancel = this.#options.clock.after(LOOK, () => {
      this.#looking = this.#turn().then(() => this.#next());
    });
  }

  /** Never rejects: what fails is tried again with the next look. */
  async #turn(): Promise<void> {
    const { clock, log } = this.#options;
    try {
      const gone = await this.#look();
      await this.#say();
      for (const lease of gone.flatMap(({ leases }) => leases)) await this.#remove(lease);
      await this.#tellSilent();
      const now = clock.now();
      this.#steady = { since: this.#steady?.since ?? now, last: now };
      if (this.#isFailing) log.info({}, "the hosts know again what each of them hears");
      this.#isFailing = false;
    } catch (thrown) {
      this.#steady = undefined;
      if (!this.#isFailing)
        log.warn({ error: messageOf(thrown) }, "cannot tell or read who is heard: nobody's silence is told");
      this.#isFailing = true;
    }
  }

  /** Reads what other hosts heard, and takes over what those heard that are gone. Returns these. */
  async #look(): Promise<readonly HearingHost[]> {
    const { client, namespace, host, clock } = this.#options;
    const { items } = await client.list(LEASES, { namespace, labelSelector: HOST_LABEL });
    const now = clock.now();
    const others = hearingHosts(items).filter((one) => one.host !== host);
    // After an outage of the API server all look gone, until each has spoken again.
    const since = this.#steady?.since;
    const isSteady = since !== undefined && now - since >= HOST_SECONDS * 1000;
    const gone = isSteady ? others.filter((one) => isGone(one, now)) : [];
    for (const { heard } of gone)
      for (const [trigger, book] of this.#books) book.adopt(heard.get(trigger.name) ?? new Map());
    this.#others = others.filter((one) => !gone.includes(one));
    return gone;
  }

  async #tellSilent(): Promise<void> {
    const { bus, clock, host, log } = this.#options;
    const until = Math.min(clock.now(), ...this.#others.map(({ renewed }) => renewed));
    for (const [trigger, book] of this.#books) {
      const silent = book.silent(clock.now(), (sender) => this.#elsewhere(trigger, sender), until);
      for (let first = 0; first < silent.length && bus.ready(); first += BATCH) {
        const batch = silent.slice(first, first + BATCH);
        const news = batch.map(({ sender, heard }) => newsOf("silent", sender, heard, host));
        const { refused } = await bus.publish(news.map((one) => this.#eventOf(trigger, one)));
        if (refused.length > 0)
          log.error({ trigger: trigger.name, refused }, "the bus refuses news of beats");
        for (const { sender, heard } of batch) book.forget(sender, heard);
      }
    }
  }

  #eventOf(trigger: BeatingTrigger, news: BeatNews): Envelope {
    return eventOf(trigger, trigger.beats(news), this.#options.clock);
  }

  /** Says what it heard, in as many Leases as that takes. */
  async #say(): Promise<void> {
    const { client, namespace, host, clock } = this.#options;
    const now = clock.now();
    if (this.#said !== undefined && now - this.#said > HOST_SECONDS * 1000)
      for (const book of this.#books.values()) book.tellAgain();
    const heard: AllHeard = new Map([...this.#books].map(([{ name }, book]) => [name, book.heard()]));
    const leases = heardLeases(host, namespace, now, heard);
    this.#leases = [...new Set([...this.#leases, ...leases.map(({ metadata }) => metadata.name)])];
    for (const lease of leases)
      await inHome(client, namespace, () =>
        client.apply(LEASES, placeOf(lease), lease, { ...MANAGER, force: true, metadataOnly: true }),
      );
    await this.#unsay(leases.length);
    this.#said = now;
  }

  /** Deletes its Leases from the one with that number on. */
  async #unsay(first: number): Promise<void> {
    const { namespace } = this.#options;
    for (const name of this.#leases.slice(first)) await this.#remove({ metadata: { name, namespace } });
    this.#leases = this.#leases.slice(0, first);
  }

  async #remove({
    metadata: { name, namespace, uid, resourceVersion },
  }: Pick<KubeObject, "metadata">): Promise<void> {
    try {
      await this.#options.client.delete(LEASES, { name, namespace }, { uid, resourceVersion });
    } catch (thrown) {
      // It is gone already, or its host is not.
      if (!(thrown instanceof KubeError && ["missing", "gone", "stale"].includes(thrown.kind))) throw thrown;
    }
  }
}

const placeOf = ({ metadata: { name, namespace } }: KubeObject) => ({ name, namespace });
