import { constants } from "node:fs";
import { mkdir, open, readdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { ArchiveError } from "./errors.ts";
import { ArchiveBounds, type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from "./files.ts";

/**
 * The files below a folder by their paths in there, `/` between folders. Links are followed as far as they stay inside.
 * @throws ArchiveError; errors of the file system as they are
 */
export async function filesInFolder(
  folder: string,
  isWanted: (path: string) => boolean,
  limits: ArchiveLimits = DEFAULT_ARCHIVE_LIMITS,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const root = await realpath(folder);
  const bounds = new ArchiveBounds(limits);
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    const full = join(entry.parentPath, entry.name);
    const path = full
      .slice(root.length + 1)
      .split(sep)
      .join("/");
    if (!isWanted(path) || entry.isDirectory()) continue;
    const real = await realpath(full);
    if (!real.startsWith(root + sep))
      throw new ArchiveError("ARCHIVE_UNSAFE", `${path} leads out of the folder`);
    await using file = await open(real, constants.O_RDONLY);
    const stats = await file.stat();
    if (!stats.isFile()) throw new ArchiveError("ARCHIVE_UNSAFE", `${path} is no file`);
    bounds.file(path, stats.size);
    files.set(path, await file.readFile());
  }
  return files;
}

/** Writes files below a folder, which is made, in their order. Without `overwrite` a file that is there is an `EEXIST`. Names what it wrote. */
export async function writeFolder(
  folder: string,
  files: ReadonlyMap<string, Uint8Array | string>,
  { overwrite = false }: { readonly overwrite?: boolean } = {},
): Promise<readonly string[]> {
  const written: string[] = [];
  for (const [path, content] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { flag: overwrite ? "w" : "wx" });
    written.push(target);
  }
  return written;
}
