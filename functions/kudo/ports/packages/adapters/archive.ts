import { ArchiveError, type ArchiveLimits, filesOf } from "../../../../../shared/archive/index.ts";
import { PackageError } from "../../../decide/package/index.ts";
import type { PackageSource } from "../contract.ts";

/** The error of a place that holds no package. */
export const unreadable = (place: string, why: string, cause?: unknown): PackageError =>
  new PackageError("KUDO_PACKAGE_UNREADABLE", `${place}: ${why}`, [], cause);

/**
 * The package in a .tgz. Children lie in folders of it; what is no path within it is opened like any other place.
 * @throws PackageError
 */
export async function archiveSource(
  place: string,
  packed: Uint8Array,
  limits: ArchiveLimits,
  open: (place: string) => Promise<PackageSource>,
): Promise<PackageSource> {
  let files: ReadonlyMap<string, Uint8Array>;
  try {
    files = await filesOf(packed, limits);
  } catch (error) {
    if (error instanceof ArchiveError) throw unreadable(place, error.message, error);
    throw error;
  }
  return folderOf(place, "", files, open);
}

/** The package in one folder of files. */
function folderOf(
  place: string,
  folder: string,
  all: ReadonlyMap<string, Uint8Array>,
  open: (place: string) => Promise<PackageSource>,
): PackageSource {
  const start = folder === "" ? "" : `${folder}/`;
  const files = new Map(
    [...all].flatMap(([path, content]) =>
      path.startsWith(start) ? [[path.slice(start.length), content] as const] : [],
    ),
  );
  return {
    place,
    files,
    async child(path) {
      if (!/^\.{1,2}\//.test(path)) return open(path);
      const parts = [...folder.split("/"), ...path.split("/")].filter((part) => part !== "" && part !== ".");
      const within: string[] = [];
      for (const part of parts) {
        if (part !== "..") within.push(part);
        else if (within.pop() === undefined) throw unreadable(path, `it leads out of ${place}`);
      }
      const inner = within.join("/");
      if (![...all.keys()].some((name) => name.startsWith(`${inner}/`)))
        throw unreadable(path, `${place} holds no such folder: pack the package of the child into it`);
      return folderOf(`${place}#${inner}`, inner, all, open);
    },
  };
}
