import { type BigIntStats, constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { PayloadsError } from "../errors.ts";
import { Collector, FOLDERS, type Folder, type PayloadLimits } from "./collector.ts";
import { digestOf, exists, type PayloadSource, stamp } from "./source.ts";

interface Found {
  readonly folder: Folder;
  readonly name: string;
  /** Resolved: links are followed as far as they stay inside of the payload, as in a mounted volume. */
  readonly path: string;
  readonly stats: BigIntStats;
}

/** A payload that lies unpacked in a directory. */
export function directorySource(image: string, directory: string, limits: PayloadLimits): PayloadSource {
  const resolve = async (root: string, path: string): Promise<string> => {
    const resolved = await realpath(path);
    if (resolved === root || resolved.startsWith(root + sep)) return resolved;
    throw new PayloadsError(
      "PAYLOAD_UNREADABLE",
      image,
      `${path} leads out of it: put the file itself there`,
    );
  };
  const look = async (folder: Folder): Promise<readonly Found[]> => {
    const root = await realpath(directory);
    if (!(await exists(join(root, folder)))) return [];
    const parent = await resolve(root, join(root, folder));
    const found: Found[] = [];
    for (const name of await readdir(parent)) {
      const path = await resolve(root, join(parent, name));
      const stats = await stat(path, { bigint: true });
      if (stats.isFile()) found.push({ folder, name, path, stats });
    }
    return found;
  };
  const lookEverywhere = async (): Promise<readonly Found[]> => (await Promise.all(FOLDERS.map(look))).flat();
  const fingerprintOf = (found: readonly Found[]): string =>
    digestOf(
      `${directory}\n${found
        .map(({ folder, name, stats }) => stamp(`${folder}/${name}`, stats))
        .sort()
        .join("")}`,
    );
  return {
    fingerprint: async () => fingerprintOf(await lookEverywhere()),
    files: async () => {
      const collector = new Collector(image, limits);
      for (const folder of FOLDERS) if (await exists(join(directory, folder))) collector.folder(folder);
      const found = await lookEverywhere();
      for (const { folder, name, path, stats } of found) {
        collector.announce(`${folder}/${name}`, Number(stats.size));
        await using file = await open(path, constants.O_RDONLY);
        collector.add(folder, name, await file.readFile());
      }
      if (fingerprintOf(await lookEverywhere()) !== fingerprintOf(found))
        throw new PayloadsError(
          "PAYLOAD_CHANGED",
          image,
          "its files changed while they were read; it is read again",
        );
      return collector.files();
    },
  };
}
