import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { ArchiveError, type ArchiveLimits, filesInFolder } from "../../../../../shared/archive/index.ts";
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
  try {
    return await filesInFolder(place, isWanted, limits);
  } catch (error) {
    if (error instanceof ArchiveError) throw unreadable(place, error.message, error);
    throw error;
  }
}
