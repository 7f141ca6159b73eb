import type { Beat, BeatNews } from "../../function/trigger.ts";

/** The last beat of a sender, in milliseconds since the epoch, and the time between two. */
export interface Heard {
  readonly heard: number;
  readonly every: number;
}

/** The reading of a beat: what it tells, and what makes it known here once that is told. */
export interface BeatReading {
  readonly states: readonly ("alive" | "missed")[];
  /** Notes the beat. False where there is no room for one sender more. */
  note(): boolean;
}

/** Beats in a row that a sender may miss. */
export const MISSED = 3;
/** The beats after which a sender is told to be alive once more: a net for a lost event. */
const TOLD_AGAIN = 500;
/** The time between two tellings of one state of one sender. What comes meanwhile is told at its end. */
const PAUSE = 5 * 60_000;
/** Senders that one host remembers. */
const MOST = 20_000;

interface Entry extends Heard {
  /** Beats since it was last told to be alive. */
  readonly beats: number;
  /** The times at which it was told. */
  readonly told: Readonly<Record<"alive" | "missed", number>>;
  /** The states that are still to be told. */
  readonly owes: readonly ("alive" | "missed")[];
}

const NEVER = Number.NEGATIVE_INFINITY;

/** The time from which on a sender is silent. */
export const silentFrom = ({ heard, every }: Heard): number => heard + MISSED * every;

/**
 * Remembers the last beat of each sender of one trigger, as this host heard it. A sender that beats as it should is never told of, whichever of
 * several hosts hears it.
 */
export class BeatBook {
  readonly #all = new Map<string, Entry>();
  readonly #most: number;

  constructor(most = MOST) {
    this.#most = most;
  }

  get size(): number {
    return this.#all.size;
  }

  /** The last beats. */
  heard(): ReadonlyMap<string, Heard> {
    return this.#all;
  }

  /**
   * Reads a beat.
   * @param elsewhere the last beat that another host heard of this sender, as far as is known
   */
  hear(sender: string, { number, after, seconds }: Beat, now: number, elsewhere?: Heard): BeatReading {
    const isAlive = (one: Heard | undefined): boolean => one !== undefined && silentFrom(one) >= now;
    const here = this.#all.get(sender);
    const before = isAlive(here) ? here : undefined;
    const isNews = before === undefined && !isAlive(elsewhere);
    const beats = (before?.beats ?? 0) + 1;
    const told = before?.told ?? { alive: NEVER, missed: NEVER };
    const isFirst = after === 0;
    const owed = new Set(before?.owes ?? []);
    if (isNews || isFirst || beats >= TOLD_AGAIN) owed.add("alive");
    if (!isFirst && number > after + 1) owed.add("missed");
    const states = [...owed].filter((state) => now - told[state] >= PAUSE);
    const entry: Entry = {
      heard: now,
      every: seconds * 1000,
      beats: states.includes("alive") ? 0 : beats,
      told: { ...told, ...Object.fromEntries(states.map((state) => [state, now])) },
      owes: [...owed].filter((state) => !states.includes(state)),
    };
    const note = (): boolean => {
      if (!this.#all.has(sender) && this.#all.size >= this.#most) return false;
      this.#all.set(sender, entry);
      return true;
    };
    return { states, note };
  }

  /** Takes over what a host heard that is gone. */
  adopt(all: ReadonlyMap<string, Heard>): void {
    for (const [sender, { heard, every }] of all) {
      const here = this.#all.get(sender);
      if (here !== undefined ? here.heard >= heard : this.#all.size >= this.#most) continue;
      const rest = here ?? { beats: 0, told: { alive: NEVER, missed: NEVER }, owes: [] };
      this.#all.set(sender, { ...rest, heard, every });
    }
  }

  /**
   * The senders that are silent. Those that another host heard later are that host's to judge, and forgotten here.
   * @param elsewhere the last beat that another host heard of a sender
   * @param until the time up to which all other hosts have said what they heard
   */
  silent(
    now: number,
    elsewhere: (sender: string) => Heard | undefined = () => undefined,
    until = now,
  ): readonly { readonly sender: string; readonly heard: number }[] {
    const found = [];
    for (const [sender, entry] of this.#all) {
      if (silentFrom(entry) >= now) continue;
      if ((elsewhere(sender)?.heard ?? NEVER) > entry.heard) this.#all.delete(sender);
      else if (silentFrom(entry) < until) found.push({ sender, heard: entry.heard });
    }
    return found;
  }

  /** Forgets a sender, unless it was heard since. */
  forget(sender: string, heard: number): void {
    if (this.#all.get(sender)?.heard === heard) this.#all.delete(sender);
  }

  /** Has each sender told to be alive with its next beat: others may have told its silence. */
  tellAgain(): void {
    for (const [sender, entry] of this.#all)
      this.#all.set(sender, { ...entry, told: { ...entry.told, alive: NEVER }, owes: addTo(entry.owes) });
  }
}

const addTo = (owes: Entry["owes"]): Entry["owes"] => [...new Set([...owes, "alive" as const])];

/** The words of news as a trigger reads them. */
export const newsOf = (state: BeatNews["state"], sender: string, heard: number, host: string): BeatNews => ({
  state,
  sender,
  heard: new Date(heard).toISOString(),
  host,
});
