import { crc32 } from "node:zlib";

/** The bytes before each record: its length, its checksum, and a checksum of these two. */
export const HEADER_BYTES = 12;

/** A record as it stands in a file: torn where it ends too early, damaged where it is not what was written. */
export function encode(payload: Uint8Array): Uint8Array {
  const record = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  record.writeUInt32LE(payload.length, 0);
  record.writeUInt32LE(crc32(payload), 4);
  record.writeUInt32LE(crc32(record.subarray(0, 8)), 8);
  record.set(payload, HEADER_BYTES);
  return record;
}

/** The content of a file of records. */
export interface Scanned {
  /** Each whole record, and where the next one begins. */
  readonly records: readonly { readonly payload: Buffer; readonly end: number }[];
  /** The bytes up to which all is whole: what follows was torn off while it was written. */
  readonly whole: number;
  /** The place of a record that was whole once; undefined where there is none. */
  readonly damagedAt?: number | undefined;
}

/** Blocks that a file grew by, and that a power cut left unwritten. */
const isUnwritten = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/** Reads records up to the first that is not whole. A cut at any byte is torn, another byte anywhere is damage. */
export function scan(bytes: Buffer): Scanned {
  const records: { readonly payload: Buffer; readonly end: number }[] = [];
  let at = 0;
  while (bytes.length - at >= HEADER_BYTES) {
    const begins = at + HEADER_BYTES;
    if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32LE(at + 8))
      return isUnwritten(bytes.subarray(at)) ? { records, whole: at } : { records, whole: at, damagedAt: at };
    const end = begins + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    const payload = bytes.subarray(begins, end);
    if (crc32(payload) !== bytes.readUInt32LE(at + 4))
      return isUnwritten(bytes.subarray(begins))
        ? { records, whole: at }
        : { records, whole: at, damagedAt: at };
    records.push({ payload, end });
    at = end;
  }
  return { records, whole: at };
}
