import type { Lane } from "../../events/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Counters } from "./counters.ts";
import type { DirtyKeys, Room } from "./dirty-keys.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerChange, LedgerRow } from "./ledger-lines.ts";
import { type Finding, markOf } from "./mark.ts";
import { type Publisher, publishPresent } from "./publication.ts";
import { compareVersions, entryFor, type Sighting } from "./sighting.ts";

/** The number of differences from which on they go into the slow lane. */
const MANY = 500;
const PAGE = 500;

export interface CompareContext {
  readonly publisher: Publisher;
  readonly ledger: Ledger;
  readonly dirty: DirtyKeys;
  readonly room: Room;
  readonly counters: Counters;
  readonly era: number;
  readonly now: () => number;
  /** Undefined: urgent while the differences are few, for then somebody waits for them. */
  readonly lane: "sweep" | undefined;
  /** The sighting of an object; undefined where it does not even say which one it is. */
  readonly sight: (object: KubeObject) => Sighting | undefined;
  /** Called with each object of the list. */
  readonly onSeen: (object: KubeObject) => void;
  /** Called with each object that the list lacks. */
  readonly onGone: (last: Sighting) => void;
  /** Keys were marked. */
  readonly onMarked: () => void;
}

interface Difference {
  readonly sighting: Sighting;
  readonly deleted: boolean;
  readonly lived?: boolean;
  readonly asOf: string;
  /** It is told once more because it is read in another way, or the server went back: nobody waits for it. */
  readonly again: boolean;
}

const isNumber = (version: string): boolean => /^\d+$/.test(version);
/** False too where the versions have no order. */
const isOlder = (a: string, b: string): boolean => isNumber(a) && isNumber(b) && compareVersions(a, b) < 0;

const sightingOf = (row: LedgerRow): Sighting => ({ ...row, deleting: true });

/** Compares a list with the ledger and marks what differs. The stream of the kind stands still meanwhile. */
export class Compare {
  readonly #context: CompareContext;
  #lane: Lane | undefined;
  /** Differences while they are few and the lane is not decided. */
  #staged: Difference[] = [];

  constructor(context: CompareContext) {
    this.#context = context;
    this.#lane = context.lane;
    context.ledger.beginCompare(context.publisher.stream);
  }

  /**
   * Compares one page of the list as of `listVersion`. Resolves when there is room for another; with `wentBack` where the page
   * proves that the server is in an older state than before: nothing of it is marked, and the list is of no use.
   */
  async page(
    items: readonly KubeObject[],
    listVersion: string | undefined,
    signal: AbortSignal,
  ): Promise<"compared" | "wentBack"> {
    const { publisher, ledger, dirty, room, counters, sight, onSeen } = this.#context;
    const changes: LedgerChange[] = [];
    for (const item of items) {
      const seen = sight(item);
      if (seen === undefined) {
        changes.push(...this.#spared(item));
        continue;
      }
      const { namespace, name, uid } = seen;
      const row = ledger.row(publisher.stream, namespace, name);
      if (this.#wasNewer(row, seen, listVersion)) return "wentBack";
      onSeen(item);
      changes.push({ do: "listed", stream: publisher.stream, namespace, name, uid });
      if (!dirty.has(uid) && row?.uid === uid) {
        if (this.#isRecorded(row, seen)) continue;
        const mark = markOf(seen, this.#finding("sweep", false, seen.resourceVersion));
        const publication = publishPresent(publisher, mark, row);
        if (publication.events.length === 0) {
          counters.noOpsDropped++;
          changes.push(...publication.changes);
          continue;
        }
      }
      counters.changesFoundLate++;
      this.#add({
        sighting: seen,
        deleted: false,
        asOf: seen.resourceVersion,
        again: this.#isTold(row, seen),
      });
    }
    ledger.commit(changes);
    await room.forCompare(signal);
    return "compared";
  }

  /**
   * True where the object was seen at a version that the list must know, and stands at a lower one: versions of one object only
   * rise, so the server went back and counts on from a higher number, as etcd restored with a bumped revision does.
   */
  #wasNewer(row: LedgerRow | undefined, seen: Sighting, listVersion: string | undefined): boolean {
    const { dirty, era } = this.#context;
    const recorded = row?.uid === seen.uid && row.era === era ? row.resourceVersion : undefined;
    return [recorded, dirty.versionOf(seen.uid)].some(
      (known) =>
        known !== undefined &&
        listVersion !== undefined &&
        isOlder(seen.resourceVersion, known) &&
        !isOlder(listVersion, known),
    );
  }

  /** The list is complete as of `listVersion`: what it did not name is gone. */
  async end(listVersion: string, signal: AbortSignal): Promise<void> {
    const { publisher, ledger, dirty, room, counters } = this.#context;
    const { stream } = publisher;
    // Seen by the stream and not recorded yet: these too may have ended unseen.
    for (const mark of [...dirty.marks()])
      if (!mark.deleted && !ledger.isListed(stream, mark.last))
        this.#add({ sighting: mark.last, deleted: true, asOf: listVersion, again: false });
    for (const sighting of ledger.announced(stream))
      if (!dirty.has(sighting.uid) && !ledger.isListed(stream, sighting))
        this.#add({ sighting, deleted: true, lived: true, asOf: listVersion, again: false });
    let after = { namespace: "", name: "" };
    for (;;) {
      const rows = ledger.unlisted(stream, after, PAGE);
      for (const row of rows) {
        counters.deletesFoundLate++;
        this.#add({ sighting: sightingOf(row), deleted: true, asOf: listVersion, again: false });
        after = row;
      }
      if (rows.length < PAGE) break;
      await room.forCompare(signal);
    }
    this.#decide("urgent");
    ledger.beginCompare(stream);
  }

  #isTold(row: LedgerRow | undefined, seen: Sighting): boolean {
    const { publisher, era } = this.#context;
    return row?.uid === seen.uid && (row.entry !== entryFor(publisher.entry, seen) || row.era !== era);
  }

  /** An item that says less than which object it is tells nothing of it, and not that it is gone. */
  #spared({ metadata }: KubeObject): LedgerChange[] {
    const { namespace = "", name } = metadata ?? {};
    if (typeof name !== "string" || typeof namespace !== "string") return [];
    return [{ do: "listed", stream: this.#context.publisher.stream, namespace, name, uid: "" }];
  }

  #isRecorded(row: LedgerRow, seen: Sighting): boolean {
    return (
      row.resourceVersion === seen.resourceVersion &&
      row.era === this.#context.era &&
      row.entry === entryFor(this.#context.publisher.entry, seen)
    );
  }

  #add(difference: Difference): void {
    if (difference.deleted) this.#context.onGone(difference.sighting);
    if (this.#lane !== undefined || difference.again) this.#mark(difference, this.#lane ?? "sweep");
    else this.#staged.push(difference);
    if (this.#staged.length >= MANY) this.#decide("sweep");
  }

  #decide(lane: Lane): void {
    this.#lane ??= lane;
    for (const difference of this.#staged) this.#mark(difference, this.#lane);
    this.#staged = [];
  }

  #mark({ sighting, deleted, lived, asOf }: Difference, lane: Lane): void {
    this.#context.dirty.mark(sighting, { ...this.#finding(lane, deleted, asOf), lived });
    this.#context.onMarked();
  }

  #finding(lane: Lane, deleted: boolean, asOf: string): Finding {
    return {
      by: "compare",
      lane,
      deleted,
      era: this.#context.era,
      before: undefined,
      asOf,
      at: this.#context.now(),
    };
  }
}
