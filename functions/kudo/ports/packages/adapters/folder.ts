import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { ArchiveBounds, ArchiveError, type ArchiveLimits } from "../../../../../shared/archive/index.ts";
import { isPackageFile } from "../../../decide/package/index.ts";
import type { PackageSource } from "../contract.ts";
import { unreadable } from "./archive.ts";

/**
 * The package in a folder: only the files that a package consists of are read. Links are followed as far as they stay in it.
 * @throws PackageError
 */
export async function folderSource(
  place: string,
  limits: ArchiveLimits,
  openPlace: (place: string) => Promise<PackageSource>,
): Promise<PackageSource> {
  const root = await realpath(place);
  return {
    place,
    files: await filesIn(place, limits, isPackageFile),
    child: (path) => openPlace(/^\.{1,2}(\/|$)/.test(path) ? resolve(root, path) : path),
  };
}

/** Every file that a .tgz of the folder holds: all but what is hidden by a dot in front. @throws PackageError */
export const wholeFolder = (place: string, limits: ArchiveLimits): Promise<ReadonlyMap<string, Uint8Array>> =>
  filesIn(place, limits, (path) => !/(^|\/)\./.test(path));

async function filesIn(
  place: string,
  limits: ArchiveLimits,
  isWanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const root = await realpath(place);
  const bounds = new ArchiveBounds(limits);
  const files = new Map<string, Uint8Array>();
  try {
    for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
      const full = join(entry.parentPath, entry.name);
      const path = full
        .slice(root.length + 1)
        .split(sep)
        .join("/");
      if (!isWanted(path) || entry.isDirectory()) continue;
      const real = await realpath(full);
      if (!real.startsWith(root + sep)) throw unreadable(full, "it leads out of the package");
      await using file = await open(real, constants.O_RDONLY);
      const stats = await file.stat();
      if (!stats.isFile()) throw unreadable(full, "it is no file");
      bounds.file(path, stats.size);
      files.set(path, await file.readFile());
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw unreadable(place, error.message, error);
    throw error;
  }
  return files;
}
