import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { assetsOf } from "../decide/assets/assets.ts";
import { faultText } from "../decide/assets/index.ts";
import {
  compareVersions,
  dottedVersion,
  type ReleaseName,
  releaseOfTag,
  type StackVersion,
  sameStack,
} from "../decide/names/index.ts";
import {
  type FormerRelease,
  hashVersion,
  type Ignoring,
  isStackFile,
  nextVersions,
  type PackedVersions,
  type ReleaseDraft,
  releaseDraft,
  type StackSource,
  stackHashes,
  stackSource,
} from "../decide/pack/index.ts";
import type { Charts } from "../ports/charts/index.ts";
import type { Folders } from "../ports/folders/index.ts";
import { openedRelease } from "../ports/releases/adapters/index.ts";
import { opened, type Source, sourceFailed } from "./source.ts";
import { type Verdict, verdictOn } from "./verify.ts";
import type { Mode } from "./words.ts";

/** The wish for a version. */
export interface VersionWish {
  readonly mode: Mode;
  readonly clusterStackVersion?: string;
  readonly clusterAddonVersion?: string;
}

/** The outside of packing. */
export interface Packing {
  readonly folders: Folders;
  readonly charts: Charts;
  readonly ignoring: Ignoring;
}

/** The outcome: a release that is whole and may be written, one with faults, or none since nothing changed. */
export type Created =
  | { readonly state: "unchanged"; readonly since: string }
  | {
      readonly state: "made";
      readonly tag: string;
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly verdict: Verdict;
    };

/** Packs the source in a folder into a release, and judges it. `former`: the source of the releases before it, if there is any. @throws CliError */
export async function createRelease(
  folder: string,
  wish: VersionWish,
  former: Source | undefined,
  { folders, charts, ignoring }: Packing,
): Promise<Created> {
  const { value: source, faults } = stackSource(await folders.read(folder, isStackFile));
  if (source === undefined)
    throw new CliError(
      "CLI_STACK_SOURCE_FAULTY",
      `${folder} is no source of a stack: ${faults.map(faultText).join("; ")}`,
    );
  const draft = (versions: PackedVersions): ReleaseDraft => releaseDraft(source, versions, ignoring);
  const newest = wish.mode === "stable" ? await newestOf(source, former) : undefined;
  const versions =
    wish.mode === "stable" ? nextVersions(newest?.release, draft) : wishedVersions(source, wish);
  if (versions === undefined) return { state: "unchanged", since: newest?.tag ?? "" };
  const made = draft(versions);
  const archives = await Promise.all(
    [...made.archives].map(async ([name, files]) => [name, await folders.pack(files)] as const),
  );
  // Whoever lists a folder takes a release for whole once it has its metadata.
  const files = new Map([...archives, ...made.files]);
  const name = releaseOfTag(made.tag);
  if (name === undefined) throw new TypeError(`${made.tag} was made as the name of a release`);
  return {
    state: "made",
    tag: made.tag,
    files,
    verdict: await verdictOn(name, await openedRelease(files), charts),
  };
}

/** The versions that are asked for by their words, or follow from the content. @throws UsageError */
function wishedVersions(source: StackSource, wish: VersionWish): PackedVersions {
  const { mode, clusterStackVersion, clusterAddonVersion } = wish;
  if (mode === "hash") {
    const version = read(hashVersion(stackHashes(source.files)));
    return { stack: version, addon: version };
  }
  if (clusterStackVersion === undefined)
    throw new UsageError("--mode custom wants --cluster-stack-version, v0-label.patch.");
  const stack = read(clusterStackVersion);
  return { stack, addon: clusterAddonVersion === undefined ? stack : read(clusterAddonVersion) };
}

function read(text: string): StackVersion {
  const version = dottedVersion(text);
  if (version === undefined) throw new UsageError(`${text} is no version: write v1 or v0-label.patch.`);
  return version;
}

/** The newest stable release of the stack that was published before. */
async function newestOf(
  { stack }: StackSource,
  former: Source | undefined,
): Promise<{ readonly tag: string; readonly release: FormerRelease } | undefined> {
  if (former === undefined) return undefined;
  const listing = await former.list();
  if (listing.state === "failed") throw sourceFailed(former.place, listing);
  if (listing.state !== "listed") throw new TypeError(`a first list was ${listing.state}`);
  const named = listing.releases.flatMap(
    ({ tag }): readonly { readonly tag: string; readonly name: ReleaseName }[] => {
      const name = releaseOfTag(tag);
      const isStable = name !== undefined && sameStack(name, stack) && name.version.custom === undefined;
      return isStable ? [{ tag, name }] : [];
    },
  );
  const newest = named.sort((one, other) => compareVersions(one.name, other.name) ?? 0).at(-1);
  if (newest === undefined) return undefined;
  const release = await opened(former, newest.tag);
  const { value, faults } = assetsOf(newest.name, release);
  if (value === undefined)
    throw new CliError(
      "CLI_STACK_RELEASE_FAULTY",
      `The release before, ${newest.tag} of ${former.place}, has faults, so nobody can tell what changed: ${faults.map(faultText).join("; ")}`,
    );
  return { tag: newest.tag, release: { ...release, metadata: value.metadata } };
}
