/** The compression of the bytes before a tar stream. */
export type Packing = "none" | "gzip" | "zstd";

/** The start of a frame of zstd, or of one that is passed over: some programs write such a one first. */
const ZSTD = /^(28b52ffd|5[0-9a-f]2a4d18)$/;

/** The packing that the first four bytes tell. */
export function packingOf(start: Uint8Array): Packing {
  const hex = Buffer.from(start.subarray(0, 4)).toString("hex");
  return hex.startsWith("1f8b") ? "gzip" : ZSTD.test(hex) ? "zstd" : "none";
}
