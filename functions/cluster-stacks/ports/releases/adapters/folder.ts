import { hash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { messageOf } from "../../../../../shared/errors.ts";
import { isAsset, type ListedRelease, type Opening, type Releases, type SourceFailure } from "../contract.ts";
import { openedRelease, tooLarge } from "./opened.ts";

interface Found {
  readonly name: string;
  readonly path: string;
  readonly stats: BigIntStats;
}

const METADATA = "metadata.yaml";
const unavailable = (message: string): SourceFailure => ({ state: "failed", reason: "unavailable", message });
const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
/** Resolves to undefined where there is no such file. */
const ifThere = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/**
 * One source: a folder that holds a folder of assets for each release, named by its tag. A release is listed once its metadata.yaml
 * is there, and published when that was written: whoever copies a release copies this file last.
 */
export function folderReleases(folder: string): Releases {
  /** Links are followed as far as they stay inside, as in a mounted volume. */
  const inside = async (path: string): Promise<string | undefined> => {
    const [root, resolved] = await Promise.all([realpath(folder), ifThere(realpath(path))]);
    return resolved?.startsWith(root + sep) ? resolved : undefined;
  };
  const releaseIn = async (tag: string): Promise<ListedRelease | undefined> => {
    const metadata = await inside(join(folder, tag, METADATA));
    const stats = metadata === undefined ? undefined : await ifThere(stat(metadata));
    return stats?.isFile() ? { tag, publishedAt: stats.mtime.toISOString() } : undefined;
  };
  const assetsIn = async (directory: string): Promise<readonly Found[]> => {
    const found: Found[] = [];
    for (const name of (await readdir(directory)).filter(isAsset).sort()) {
      const path = await inside(join(directory, name));
      if (path === undefined) throw new Error(`${name} leads out of the folder: put the file itself there`);
      const stats = await stat(path, { bigint: true });
      if (stats.isFile()) found.push({ name, path, stats });
    }
    return found;
  };
  const read = async (tag: string, directory: string): Promise<Opening> => {
    const found = await assetsIn(directory);
    const large = tooLarge(found.map(({ name, stats }) => [name, Number(stats.size)]));
    if (large !== undefined) return { state: "damaged", message: large };
    const files = new Map<string, Uint8Array>();
    for (const { name, path } of found) {
      await using file = await open(path, constants.O_RDONLY);
      files.set(name, await file.readFile());
    }
    if (stampOf(await assetsIn(directory)) !== stampOf(found))
      return unavailable(`the files of ${tag} changed while they were read`);
    const publishedAt = (await releaseIn(tag))?.publishedAt;
    return { state: "opened", release: await openedRelease(files, { publishedAt }) };
  };
  return {
    list: async (source, { known } = {}) => {
      try {
        const names = (await readdir(folder, { withFileTypes: true }))
          .flatMap(({ name }) => (name.startsWith(".") ? [] : [name]))
          .sort();
        const found = await Promise.all(names.map(releaseIn));
        const releases = found.flatMap((release) => release ?? []);
        const version = hash("sha256", JSON.stringify(releases), "hex");
        return version === known ? { state: "unchanged" } : { state: "listed", version, releases };
      } catch (error) {
        return unavailable(`source ${source}: the folder ${folder} cannot be read (${messageOf(error)})`);
      }
    },
    open: async (source, tag) => {
      try {
        await stat(folder);
        const directory = /^\.|[/\\\0]/.test(tag) ? undefined : await inside(join(folder, tag));
        if (directory === undefined)
          return { state: "absent", message: `source ${source} has no release ${tag}` };
        return await read(tag, directory);
      } catch (error) {
        return unavailable(`source ${source}: ${tag} cannot be read (${messageOf(error)})`);
      }
    },
  };
}

const stampOf = (found: readonly Found[]): string =>
  JSON.stringify(
    found.map(({ name, stats }) => [name, String(stats.ino), String(stats.size), String(stats.mtimeNs)]),
  );
