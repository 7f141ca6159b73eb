import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { messageOf } from "../errors.ts";
import { ArchiveError } from "./errors.ts";
import { packingOf } from "./packing.ts";
import { unzstd } from "./zstd.ts";

const gunzipped = promisify(gunzip);

/** The content of one file that may be packed, whole. @throws ArchiveError */
export async function plainFile(content: Uint8Array, maximumBytes: number): Promise<Uint8Array> {
  const packing = packingOf(content);
  if (packing === "none") return content;
  try {
    return packing === "gzip"
      ? await gunzipped(content, { maxOutputLength: maximumBytes })
      : await unzstdWhole(content, maximumBytes);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ArchiveError("ARCHIVE_TOO_LARGE", `it unpacks to more than ${maximumBytes} bytes`, error);
    throw new ArchiveError("ARCHIVE_DAMAGED", `it cannot be unpacked (${messageOf(error)})`, error);
  }
}

/** Throws a `RangeError` for more bytes, as Node's own programs do. */
async function unzstdWhole(content: Uint8Array, maximumBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const packed = async function* (): AsyncGenerator<Uint8Array> {
    yield content;
  };
  for await (const piece of unzstd(packed())) {
    bytes += piece.byteLength;
    if (bytes > maximumBytes) throw new RangeError(`more than ${maximumBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const BLOCK = 512;
/** The sum of its header's bytes, as a tar has it. */
const SUM = { from: 148, to: 156 };

/** True for a tar stream that is not packed: its first header has the right sum, which the oldest programs write too. No text has one. */
export function isTar(content: Uint8Array): boolean {
  if (content.byteLength < BLOCK) return false;
  const header = content.subarray(0, BLOCK);
  const written = Buffer.from(header.subarray(SUM.from, SUM.to)).toString("latin1");
  const [, octal] = /^ *([0-7]+)[\0 ]*$/.exec(written) ?? [];
  if (octal === undefined) return false;
  const sum = header.reduce((all, byte, at) => all + (at >= SUM.from && at < SUM.to ? 0x20 : byte), 0);
  return sum === Number.parseInt(octal, 8);
}
