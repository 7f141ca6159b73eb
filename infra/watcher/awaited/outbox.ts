import { hash } from "node:crypto";
import type { Envelope, Lane } from "../../../events/index.ts";
import type { Clock } from "../../../shared/clock/clock.ts";
import { elsewhereOnBus } from "../../../shared/kube/cluster-names.ts";
import { subjectIn } from "../../../shared/kube/subject.ts";
import type { Log } from "../../../shared/log/log.ts";
import { backOff } from "../timing.ts";
import { type AwaitedObject, awaitedName } from "./waits.ts";

/** The state of an awaited object as a list or a watch told it. */
export interface Seen {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly deleting: boolean;
}

/** The news of an object: its state, that it is gone, or that nobody may see it, so that who waits has to look. */
export type Told = Seen | "gone" | "unseen";

/** Events that one `publish` takes at most. */
const BATCH = 100;
/** An object that changes all the time wakes once in so long, */
const APART_MILLISECONDS = 1_000;
/** and before that so often at once: what is deleted, or becomes ready step by step, is not held up. */
const AT_ONCE = 4;
const FIRST_PAUSE_MILLISECONDS = 500;
const LAST_PAUSE_MILLISECONDS = 8_000;

export interface OutboxParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly era: () => number;
  /** Names this process: each look of it is a meaning of its own, which no bus may take for one that it has heard. */
  readonly identity: string;
  readonly publish: (events: Envelope[]) => Promise<void>;
}

interface Entry {
  readonly object: AwaitedObject;
  readonly told: Told;
}

/** Publishes what became of awaited objects: of each the newest state, some times at once and then once a second. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #dirty = new Map<string, Entry>();
  /** Objects that were told lately, with the time at which as much as they may be told at once is left again. */
  readonly #recent = new Map<string, number>();
  #number = 0;
  #failures = 0;
  #publishing: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** The objects of which something is still to be published. */
  get size(): number {
    return this.#dirty.size;
  }

  put(object: AwaitedObject, told: Told): void {
    this.#dirty.set(awaitedName(object), { object, told });
    if (this.#publishing === undefined && this.#failures === 0) this.#later(0);
  }

  /** Nobody waits for it any more. */
  drop(object: AwaitedObject): void {
    this.#dirty.delete(awaitedName(object));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#publishing;
  }

  #later(milliseconds: number): void {
    this.#cancel?.();
    if (this.#isStopped) return;
    this.#cancel = this.#parts.clock.after(milliseconds, () => {
      this.#publishing ??= this.#pump().finally(() => {
        this.#publishing = undefined;
        // Something may have been put since it looked: with nothing left to publish it set no timer.
        if (this.#dirty.size > 0) this.#later(this.#next(this.#parts.random));
      });
    });
  }

  async #pump(): Promise<void> {
    const { clock, log, publish } = this.#parts;
    const now = clock.now();
    for (const [name, at] of this.#recent) if (at <= now) this.#recent.delete(name);
    const due = [...this.#dirty].filter(([name]) => this.#pause(name, now) === 0).slice(0, BATCH);
    if (due.length > 0) {
      for (const [name] of due) this.#dirty.delete(name);
      try {
        await publish(due.map(([, entry]) => this.#event(entry)));
        this.#failures = 0;
        for (const [name] of due)
          this.#recent.set(name, (this.#recent.get(name) ?? now) + APART_MILLISECONDS);
      } catch (error) {
        this.#failures += 1;
        log.warn(
          { error, objects: due.length },
          "what is waited for could not be published; it is tried again",
        );
        // What was put meanwhile is newer.
        for (const [name, entry] of due) if (!this.#dirty.has(name)) this.#dirty.set(name, entry);
      }
    }
  }

  /** The time until something is due. */
  #next(random: () => number): number {
    if (this.#failures > 0)
      return backOff(this.#failures, FIRST_PAUSE_MILLISECONDS, LAST_PAUSE_MILLISECONDS, random);
    const now = this.#parts.clock.now();
    return Math.min(...[...this.#dirty.keys()].map((name) => this.#pause(name, now)));
  }

  /** The time until an object may be told. */
  #pause(name: string, now: number): number {
    const at = this.#recent.get(name) ?? now;
    return Math.max(0, at - now - (AT_ONCE - 1) * APART_MILLISECONDS);
  }

  #event({ object, told }: Entry): Envelope {
    const { clock, era, identity } = this.#parts;
    const { cluster, group, version = "", kind, namespace, name } = object;
    const state = typeof told === "object" ? told : undefined;
    const lane: Lane = told === "unseen" ? "sweep" : "urgent";
    this.#number += 1;
    const id = hash("sha256", `${identity}\n${this.#number}\n${awaitedName(object)}`, "base64url").slice(
      0,
      32,
    );
    const hex = Buffer.from(id, "base64url").toString("hex");
    const common = {
      ref: {
        cluster,
        group,
        version,
        kind,
        ...(namespace !== undefined && { namespace }),
        name,
        uid: state?.uid ?? "",
      },
      era: era(),
      resourceVersion: state?.resourceVersion ?? "",
      lane,
      seen: [],
      incomplete: true,
      owners: [],
      awaited: true,
    };
    return {
      specversion: "1.0",
      id,
      type: told === "gone" ? "resource.deleted" : "resource.changed",
      source: `/clusters/${cluster}`,
      subject: subjectIn(elsewhereOnBus(cluster), { group, kind }, { namespace, name }),
      time: new Date(clock.now()).toISOString(),
      datacontenttype: "application/json",
      traceparent: `00-${hex.slice(0, 32)}-${hex.slice(32, 48)}-01`,
      data:
        told === "gone"
          ? { ...common, was: {} }
          : {
              ...common,
              generation: state?.generation ?? 0,
              differs: ["unknown"],
              facts: {},
              deleting: state?.deleting ?? false,
            },
    };
  }
}
