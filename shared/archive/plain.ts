import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import { messageOf } from "../errors.ts";
import { ArchiveError } from "./errors.ts";
import { packingOf } from "./packing.ts";

const programs = { gzip: promisify(gunzip), zstd: promisify(zstdDecompress) } as const;

/** The content of one file that may be packed, whole. @throws ArchiveError */
export async function plainFile(content: Uint8Array, maximumBytes: number): Promise<Uint8Array> {
  const packing = packingOf(content);
  if (packing === "none") return content;
  try {
    return await programs[packing](content, { maxOutputLength: maximumBytes });
  } catch (error) {
    if (error instanceof RangeError)
      throw new ArchiveError("ARCHIVE_TOO_LARGE", `it unpacks to more than ${maximumBytes} bytes`, error);
    throw new ArchiveError("ARCHIVE_DAMAGED", `it cannot be unpacked (${messageOf(error)})`, error);
  }
}

/** True for a tar stream that is not packed, as all programs write it today. */
export const isTar = (content: Uint8Array): boolean =>
  Buffer.from(content.subarray(257, 262)).toString("latin1") === "ustar";
