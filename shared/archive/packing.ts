/** The compression of the bytes before a tar stream. */
export type Packing = "none" | "gzip" | "zstd";

/** The packing that the first four bytes tell. */
export function packingOf(start: Uint8Array): Packing {
  const hex = Buffer.from(start.subarray(0, 4)).toString("hex");
  return hex.startsWith("1f8b") ? "gzip" : hex === "28b52ffd" ? "zstd" : "none";
}
