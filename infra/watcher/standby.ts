import type { Follower } from "./follower.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerChange } from "./ledger-lines.ts";
import { publishGone, publishPresent } from "./publication.ts";
import { compareVersions } from "./sighting.ts";

/** The leader's position, as it says in the Lease. */
export interface LeaderPositions {
  readonly era: number;
  /** Stream key → version and entry (`entryOf`). */
  readonly streams: Readonly<Record<string, readonly [resourceVersion: string, entry: string]>>;
}

/** The position of this watcher, to be said in the Lease. */
export function positionsOf(followers: readonly Follower[], ledger: Ledger): LeaderPositions {
  const streams: Record<string, readonly [string, string]> = {};
  for (const { key, publisher } of followers) {
    const position = ledger.position(publisher.stream);
    if (position !== undefined) streams[key] = [position.resourceVersion, position.entry];
  }
  return { era: ledger.era, streams };
}

/** Records as published what the leader has published, and nothing beyond. */
export function recordUpTo(leader: LeaderPositions, followers: readonly Follower[], ledger: Ledger): void {
  const { era } = ledger;
  if (leader.era !== era) return;
  for (const follower of followers) {
    const [upTo, entry] = leader.streams[follower.key] ?? [];
    const { publisher, dirty } = follower;
    // A leader that reads the kind in another way has not published what this one would.
    if (upTo === undefined || entry !== publisher.entry) continue;
    const lines: LedgerChange[] = [];
    const done: string[] = [];
    for (const mark of dirty.marks()) {
      if (mark.era !== era || compareVersions(mark.asOf, upTo) > 0) continue;
      const row = ledger.row(publisher.stream, mark.last.namespace, mark.last.name);
      const { changes } = mark.deleted
        ? publishGone(publisher, mark, row, mark.lane)
        : publishPresent(publisher, mark, row);
      lines.push(...changes);
      done.push(mark.last.uid);
    }
    for (const uid of done) dirty.drop(uid);
    const reached = dirty.publishedUpTo(follower.read);
    if (reached !== undefined)
      lines.push({
        do: "position",
        stream: publisher.stream,
        position: {
          resourceVersion: compareVersions(reached, upTo) < 0 ? reached : upTo,
          entry: publisher.entry,
        },
      });
    ledger.commit(lines);
  }
}
