import { messageOf } from "../errors.ts";
import { ArchiveError } from "./errors.ts";
import { type Packing, packingOf } from "./packing.ts";
import { safePath } from "./safe-path.ts";
import { type ArchiveEntry, unpack } from "./unpack.ts";

/** The limits of an archive whose files are all taken. In bytes, files as a number. */
export interface ArchiveLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  /** The most bytes that it may unpack to, headers and padding included. */
  readonly unpackedBytes: number;
}

const MEBIBYTE = 2 ** 20;

/** Enough for any package of manifests: an object that is larger no API server stores. */
export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  fileBytes: 4 * MEBIBYTE,
  totalBytes: 32 * MEBIBYTE,
  files: 5_000,
  unpackedBytes: 64 * MEBIBYTE,
};

/** Counts files against limits, wherever they come from. Each method throws an `ArchiveError` `ARCHIVE_TOO_LARGE`. */
export class ArchiveBounds {
  readonly #limits: ArchiveLimits;
  #files = 0;
  #bytes = 0;
  #unpacked = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /** Refuses a file before it is read. */
  file(path: string, bytes: number): void {
    const { fileBytes, totalBytes, files } = this.#limits;
    this.#files += 1;
    this.#bytes += bytes;
    if (bytes > fileBytes) throw tooLarge(`${path} has ${bytes} bytes, ${fileBytes} at most`);
    if (this.#bytes > totalBytes) throw tooLarge(`its files have more than ${totalBytes} bytes`);
    if (this.#files > files) throw tooLarge(`it has more than ${files} files`);
  }

  unpacked(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.#limits.unpackedBytes)
      throw tooLarge(`it unpacks to more than ${this.#limits.unpackedBytes} bytes`);
  }
}

const tooLarge = (what: string): ArchiveError => new ArchiveError("ARCHIVE_TOO_LARGE", what);

const isFile = ({ type }: ArchiveEntry): boolean => type === "file" || type === "contiguous-file";

/**
 * The files of an archive by path, with `/` between folders and none in front: a later entry replaces an earlier one of the same
 * path. Links, devices and paths that lead out are refused, not passed over: nobody packs them without a purpose.
 * @throws ArchiveError
 */
export async function filesOf(
  packed: Uint8Array,
  limits: ArchiveLimits = DEFAULT_ARCHIVE_LIMITS,
  packing: Packing = packingOf(packed),
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const bounds = new ArchiveBounds(limits);
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    yield packed;
  };
  try {
    await unpack(pieces(), packing, {
      unpacked: (bytes) => bounds.unpacked(bytes),
      entry: async (entry) => {
        const path = safePath(entry.name);
        if (path === undefined)
          throw new ArchiveError("ARCHIVE_UNSAFE", `the path ${JSON.stringify(entry.name)} leads out of it`);
        if (entry.type === "directory") return;
        if (!isFile(entry))
          throw new ArchiveError("ARCHIVE_UNSAFE", `${path} is a ${entry.type}: pack the file itself`);
        bounds.file(path, entry.size);
        files.set(path, await entry.content());
      },
    });
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError("ARCHIVE_DAMAGED", `it cannot be unpacked (${messageOf(error)})`, error);
  }
  return files;
}
