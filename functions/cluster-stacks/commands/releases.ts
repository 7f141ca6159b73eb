import { table } from "../../../shared/text.ts";
import { assetsOf } from "../decide/assets/assets.ts";
import { type AssetFault, faultText } from "../decide/assets/index.ts";
import { compareVersions, type ReleaseName, releaseOfTag, stemOf } from "../decide/names/index.ts";
import type { ListedRelease } from "../ports/releases/index.ts";
import { type Source, sourceFailed } from "./source.ts";

/** A release of a source; what was read of it is absent where nobody read it. */
export interface FoundRelease {
  readonly tag: string;
  readonly channel: "stable" | "custom";
  /** The minor version of its name, or where it was read that of its metadata. */
  readonly kubernetes: string;
  readonly publishedAt?: string;
  readonly digest?: string;
  /** The faults for which it cannot be used, a sentence each. */
  readonly faults: readonly string[];
}

/** The releases of a source, and the tags that are no names of releases. */
export interface FoundReleases {
  readonly releases: readonly FoundRelease[];
  readonly strayTags: readonly string[];
}

/** The releases that are read at a time. */
const AT_ONCE = 4;

type Named = ListedRelease & { readonly name: ReleaseName };

/** Orders releases by stack, then from the oldest to the newest. */
function inOrder(one: Named, other: Named): number {
  const [stem, otherStem] = [stemOf(one.name), stemOf(other.name)];
  if (stem !== otherStem) return stem < otherStem ? -1 : 1;
  const dated = ({ name, publishedAt }: Named) => ({ version: name.version, publishedAt });
  return compareVersions(dated(one), dated(other)) ?? (one.tag < other.tag ? -1 : 1);
}

/** Lists the releases of a source, and reads each unless only their names are wanted. @throws CliError */
export async function findReleases(source: Source, read: boolean): Promise<FoundReleases> {
  const listing = await source.list();
  if (listing.state === "failed") throw sourceFailed(source.place, listing);
  if (listing.state !== "listed") throw new TypeError(`a first list was ${listing.state}`);
  const named = listing.releases
    .flatMap((one): readonly Named[] => {
      const name = releaseOfTag(one.tag);
      return name === undefined ? [] : [{ ...one, name }];
    })
    .sort(inOrder);
  const releases: FoundRelease[] = [];
  for (let at = 0; at < named.length; at += AT_ONCE)
    releases.push(
      ...(await Promise.all(
        named.slice(at, at + AT_ONCE).map((one) => (read ? readRelease(source, one) : listedOnly(one))),
      )),
    );
  const strayTags = listing.releases.flatMap(({ tag }) => (releaseOfTag(tag) === undefined ? [tag] : []));
  return { releases, strayTags };
}

const listedOnly = ({ tag, name, publishedAt }: Named): FoundRelease => ({
  tag,
  channel: name.version.custom === undefined ? "stable" : "custom",
  kubernetes: name.kubernetes,
  ...(publishedAt !== undefined && { publishedAt }),
  faults: [],
});

async function readRelease(source: Source, one: Named): Promise<FoundRelease> {
  const listed = listedOnly(one);
  const opening = await source.open(one.tag);
  if (opening.state !== "opened")
    return { ...listed, faults: ["message" in opening ? opening.message : opening.state] };
  const { digest } = opening.release;
  const { value, faults } = assetsOf(one.name, opening.release);
  return value === undefined
    ? { ...listed, digest, faults: faults.map((fault: AssetFault) => faultText(fault)) }
    : { ...listed, digest, kubernetes: value.metadata.kubernetes };
}

/** `sha256:0123456789ab`: as much as people compare. */
const SHOWN_DIGEST = "sha256:".length + 12;

/** The releases as a table; a release that cannot be used says so in its line. */
export function releasesText({ releases }: FoundReleases, read: boolean): string {
  if (releases.length === 0) return "It has no release.";
  const rows = releases.map(({ tag, channel, kubernetes, publishedAt, digest, faults }) => [
    tag,
    channel,
    kubernetes,
    publishedAt?.replace(/\.\d+Z$/, "Z"),
    ...(read ? [digest?.slice(0, SHOWN_DIGEST), faults.length === 0 ? "" : faults.join("; ")] : []),
  ]);
  const columns = ["release", "channel", "kubernetes", "published", ...(read ? ["digest", "faults"] : [])];
  return table(columns, rows);
}
