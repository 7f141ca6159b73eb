import { type Dated, newest, type ReleaseName, tagOf } from "../names/index.ts";

/** A release of the stack that is there. */
export interface ExistingRelease extends Dated {
  readonly name: ReleaseName;
  readonly ready: boolean;
  readonly deleting: boolean;
}

/** The wishes for a stack, and what holds its releases back. */
export interface Wishes {
  readonly inSpec: readonly ReleaseName[];
  readonly inUse: readonly ReleaseName[];
  /** The newest release that the source offers; `unknown`: it was not told yet; undefined: nobody wants it. */
  readonly latest: ReleaseName | "unknown" | undefined;
}

/** The releases of a stack by what becomes of them, as tags. */
export interface Wanted {
  readonly keep: ReadonlySet<string>;
  readonly create: readonly ReleaseName[];
  readonly remove: ReadonlySet<string>;
  /** Wanted, while one of that name is still being deleted. */
  readonly awaitDeletion: readonly ReleaseName[];
  /** The newest that is ready. */
  readonly latestReady: string | undefined;
}

/** Decides which releases stay, come and go (4.1). Nothing that a source does not say makes one go. */
export function wantedReleases(existing: readonly ExistingRelease[], wishes: Wishes): Wanted {
  const { inSpec, inUse, latest } = wishes;
  const live = existing.filter(({ deleting }) => !deleting);
  const latestReady = newest(live.filter(({ ready }) => ready)).map(({ name }) => tagOf(name));
  const asked = [...inSpec, ...(typeof latest === "object" ? [latest] : [])];
  // A release that may be the latest stays until the source has told.
  const perhapsLatest = latest === "unknown" ? newest(live).map(({ name }) => tagOf(name)) : [];
  const held = new Set([...[...asked, ...inUse].map(tagOf), ...latestReady, ...perhapsLatest]);
  const there = new Map(existing.map((release) => [tagOf(release.name), release]));
  const unique = [...new Map(asked.map((name) => [tagOf(name), name]))];
  return {
    keep: new Set(live.map(({ name }) => tagOf(name)).filter((tag) => held.has(tag))),
    create: unique.flatMap(([tag, name]) => (there.has(tag) ? [] : [name])),
    remove: new Set(live.map(({ name }) => tagOf(name)).filter((tag) => !held.has(tag))),
    awaitDeletion: unique.flatMap(([tag, name]) => (there.get(tag)?.deleting === true ? [name] : [])),
    latestReady: latestReady.toSorted().at(-1),
  };
}
