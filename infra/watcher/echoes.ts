import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { apiVersionOf, type KubeObject } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Beside, OwnVersions } from "./beside.ts";
import type { Counters } from "./counters.ts";
import type { DirtyKeys } from "./dirty-keys.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerChange } from "./ledger-lines.ts";
import { type ToldVersion, versionIn } from "./line.ts";
import { markOf } from "./mark.ts";
import { type Publisher, publishPresent, subjectOf } from "./publication.ts";
import { compareVersions, type Sighting } from "./sighting.ts";

/** For so long a line waits for the answer to a write that is on its way. */
const HOLD_MILLISECONDS = 100;
/** Lines that wait at once, of one stream and of one object. */
const MOST_HELD = 256;
const MOST_OF_ONE = 8;
/** Characters that wait at once, of one stream. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

export interface EchoesParts {
  readonly beside: Beside;
  readonly publisher: Publisher;
  readonly ledger: Ledger;
  readonly dirty: DirtyKeys;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly log: Log;
  /** True where this watcher is the one that publishes. */
  readonly leads: () => boolean;
  readonly sight: (object: KubeObject) => Sighting | undefined;
  /** Tells a line later than it came. */
  readonly late: (tell: () => void) => void;
  /** There may be something to publish or record. */
  readonly work: () => void;
}

interface Line extends ToldVersion {
  readonly characters: number;
  readonly tell: () => void;
}

type OwnVersion = NonNullable<ReturnType<OwnVersions["find"]>>;

/** The lines about one object that wait for an answer, in their order. */
interface Held {
  readonly before: string;
  readonly lines: Line[];
  readonly stop: () => void;
}

/**
 * Finds the echoes of this process's own writes among the lines of one stream, and leaves them out. A line that comes while a write to
 * its object is on its way waits for the answer, in its place: the stream's position stays before it.
 */
export class Echoes {
  /** Lines for the ledger: the objects as they were left out. */
  readonly changes: LedgerChange[] = [];
  readonly #parts: EchoesParts;
  readonly #held = new Map<string, Held>();
  #characters = 0;

  constructor(parts: EchoesParts) {
    this.#parts = parts;
    const { publisher, sight, beside } = parts;
    const { watched, entry } = publisher;
    beside.own.read({ apiVersion: apiVersionOf(watched), kind: watched.kind }, (object) => {
      const sighting = sight(object);
      return sighting === undefined || sighting.isUnread === true ? undefined : { sighting, entry };
    });
  }

  /**
   * The version of a line that is left out or waits; undefined where it is to be told now.
   * @param before the version that was read before it
   */
  takes(line: string, tell: () => void, before: string | undefined): string | undefined {
    const { own } = this.#parts.beside;
    if ((own.isIdle && this.#held.size === 0) || before === undefined || !this.#parts.leads())
      return undefined;
    const told = versionIn(line);
    if (told === undefined) {
      // A delete, or what only the whole line tells: what waits about its object comes first.
      for (const uid of this.#held.keys()) if (line.includes(uid)) this.#letGo(uid);
      return undefined;
    }
    const { uid, resourceVersion } = told;
    const known = this.#held.has(uid) ? undefined : own.find(uid, resourceVersion);
    if (known !== undefined) return this.#leavesOut(told, known) ? resourceVersion : undefined;
    return this.#holds({ ...told, characters: line.length, tell }, before) ? resourceVersion : undefined;
  }

  /** Ends the waiting: the stream has ended. @returns the version after which it must be read again */
  discard(): string | undefined {
    let before: string | undefined;
    for (const [uid, held] of this.#held) {
      before ??= held.before;
      this.#remove(uid, held);
    }
    return before;
  }

  /** All that is known of it belongs to another era. */
  clear(): void {
    this.discard();
    this.changes.length = 0;
  }

  /** The stream begins: the server may be another one. */
  begin(): void {
    this.#parts.beside.own.forgetAll();
  }

  #holds(line: Line, before: string): boolean {
    const { beside, dirty, clock } = this.#parts;
    const { uid, characters, resourceVersion } = line;
    const known = this.#held.get(uid);
    const fits = this.#held.size < MOST_HELD && this.#characters + characters <= MOST_CHARACTERS;
    if (known !== undefined) {
      if (fits && known.lines.length < MOST_OF_ONE) {
        known.lines.push(line);
        this.#characters += characters;
        return true;
      }
      this.#letGo(uid);
      return false;
    }
    // One that is dirty is told anyhow, and keeps its place by itself.
    if (!fits || !beside.own.isUnderWay(uid) || dirty.has(uid) || resourceVersion === "") return false;
    const forget = beside.own.onEnd(uid, () => this.#answered(uid));
    const cancel = clock.after(HOLD_MILLISECONDS, () => this.#letGo(uid));
    const stop = (): void => {
      forget();
      cancel();
    };
    this.#held.set(uid, { before, lines: [line], stop });
    this.#characters += characters;
    dirty.hold(uid, before);
    return true;
  }

  /** A write to the object has ended: what waits is its echo, or is told, or waits for another write. */
  #answered(uid: string): void {
    const held = this.#held.get(uid);
    if (held === undefined) return;
    const { own } = this.#parts.beside;
    for (let [line] = held.lines; line !== undefined; [line] = held.lines) {
      const known = own.find(uid, line.resourceVersion);
      if (known === undefined && own.isUnderWay(uid)) return;
      held.lines.shift();
      this.#characters -= line.characters;
      if (known === undefined || !this.#leavesOut(line, known)) this.#parts.late(line.tell);
    }
    this.#remove(uid, held);
    this.#parts.work();
  }

  /** Tells what waits about an object, whatever comes. */
  #letGo(uid: string): void {
    const held = this.#held.get(uid);
    if (held === undefined) return;
    for (const { tell } of held.lines) this.#parts.late(tell);
    this.#remove(uid, held);
    this.#parts.work();
  }

  #remove(uid: string, held: Held): void {
    held.stop();
    this.#held.delete(uid);
    for (const { characters } of held.lines) this.#characters -= characters;
    this.#parts.dirty.release(uid);
  }

  #leavesOut(told: ToldVersion, known: OwnVersion): boolean {
    const { beside, counters, log, work } = this.#parts;
    beside.own.forget(told.uid, told.resourceVersion);
    try {
      if (!this.#isEcho(told, known)) return false;
    } catch (error) {
      log.error(
        { error: messageOf(error) },
        "An own write cannot be compared with what was published: it is told",
      );
      return false;
    }
    counters.echoesDropped++;
    work();
    return true;
  }

  /** True where the version tells nobody anything: then the ledger takes it from the answer. */
  #isEcho({ uid, resourceVersion }: ToldVersion, { by, seen }: OwnVersion): boolean {
    const { publisher, ledger, dirty, clock, beside, leads } = this.#parts;
    const { sighting, entry } = seen;
    const { era } = ledger;
    if (!leads() || entry !== publisher.entry || dirty.versionOf(uid) !== undefined) return false;
    const row = ledger.row(publisher.stream, sighting.namespace, sighting.name);
    if (row === undefined || row.uid !== uid || row.era !== era || row.entry !== entry) return false;
    if (compareVersions(resourceVersion, row.resourceVersion) <= 0) return true;
    const mark = markOf(sighting, {
      by: "stream",
      lane: "urgent",
      deleted: false,
      era,
      before: undefined,
      asOf: resourceVersion,
      at: clock.now(),
    });
    const { events, changes } = publishPresent(publisher, mark, row);
    if (!events.every((event) => beside.leadsOnlyTo(event, by))) return false;
    const [event] = events;
    if (event !== undefined)
      beside.leftOut({
        id: event.id,
        type: event.type,
        subject: subjectOf(publisher.watched, sighting),
        uid,
        resourceVersion,
        traceparent: event.traceparent,
        time: event.time,
      });
    this.changes.push(...changes);
    return true;
  }
}
