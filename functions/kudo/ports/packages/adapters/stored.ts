import { readFile, stat } from "node:fs/promises";
import {
  type ArchiveLimits,
  DEFAULT_ARCHIVE_LIMITS,
  packFiles,
  writeFolder,
} from "../../../../../shared/archive/index.ts";
import { type Clock, systemClock } from "../../../../../shared/clock/clock.ts";
import { messageOf } from "../../../../../shared/errors.ts";
import { boundedGetBytes, type Fetch } from "../../../../../shared/requests/bounded-get.ts";
import { PackageError } from "../../../decide/package/index.ts";
import type { PackageSource, Packages } from "../contract.ts";
import { archiveSource, unreadable } from "./archive.ts";
import { folderSource, wholeFolder } from "./folder.ts";

/** The outside of packages. */
export interface StoredPackages {
  readonly limits?: Partial<ArchiveLimits>;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** For a download as a whole. */
  readonly timeoutMilliseconds?: number;
}

const isAbsence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** An address that is read over an open connection only where that cannot be listened to. */
const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Packages in folders, in .tgz files and behind URLs. */
export function storedPackages({
  limits,
  fetch = globalThis.fetch,
  clock = systemClock,
  timeoutMilliseconds = 60_000,
}: StoredPackages = {}): Packages {
  const bounds = { ...DEFAULT_ARCHIVE_LIMITS, ...limits };

  const download = async (place: string, url: URL): Promise<PackageSource> => {
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url)))
      throw unreadable(place, "packages are fetched over https only");
    const shown = `${url.origin}${url.pathname}`;
    const answer = await boundedGetBytes(
      fetch,
      url,
      {},
      {
        clock,
        timeoutMilliseconds,
        maximumBytes: bounds.totalBytes,
        anyServer: true,
      },
    );
    if (answer.state === "failed") throw unreadable(shown, `it cannot be fetched: ${answer.message}`);
    return archiveSource(shown, answer.bytes, bounds, open);
  };

  const onDisk = async (place: string): Promise<PackageSource> => {
    const stats = await stat(place).catch((error: unknown) => {
      if (isAbsence(error))
        throw unreadable(
          place,
          "there is no such folder or file; a package is a folder, a .tgz or an https URL, and repositories of packages are not looked up",
          error,
        );
      throw error;
    });
    if (stats.isDirectory()) return folderSource(place, bounds, open);
    if (stats.size > bounds.totalBytes)
      throw unreadable(place, `it has ${stats.size} bytes, ${bounds.totalBytes} at most`);
    return archiveSource(place, await readFile(place), bounds, open);
  };

  const told = async <T>(place: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PackageError) throw error;
      throw unreadable(place, messageOf(error), error);
    }
  };

  const open = (place: string): Promise<PackageSource> =>
    told(place, async () => {
      const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(place) ? URL.parse(place) : undefined;
      if (url === null) throw unreadable(place, "it is no URL");
      return url === undefined ? onDisk(place) : download(place, url);
    });

  return {
    open,
    pack: (folder) => told(folder, async () => packFiles(await wholeFolder(folder, bounds))),
    text: (path) =>
      told(path, async () => {
        const { size } = await stat(path);
        if (size > bounds.fileBytes)
          throw unreadable(path, `it has ${size} bytes, ${bounds.fileBytes} at most`);
        return readFile(path, "utf8");
      }),
    save: (folder, files, options) =>
      told(folder, async () => {
        try {
          return await writeFolder(folder, files, options);
        } catch (error) {
          if (error instanceof Error && "code" in error && error.code === "EEXIST")
            throw unreadable(
              "path" in error ? String(error.path) : folder,
              "it is there already; --overwrite replaces it",
              error,
            );
          throw error;
        }
      }),
  };
}
