/** The prime of 64 bits is 2^40 + 0x1b3. */
const PRIME_LOW = 0x1b3;

/**
 * FNV-1 (not 1a), 64 bit, over the texts one after the other, big-endian in URL-safe base64 with padding. In two halves of 32
 * bits: a payload has millions of bytes, and BigInt takes a second for them.
 */
export function versionHash(texts: Iterable<string>): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const text of texts)
    for (const byte of Buffer.from(text)) {
      const product = low * PRIME_LOW;
      high = (high * PRIME_LOW + Math.floor(product / 0x1_0000_0000) + low * 0x100) % 0x1_0000_0000;
      low = ((product >>> 0) ^ byte) >>> 0;
    }
  const sum = Buffer.alloc(8);
  sum.writeUInt32BE(high, 0);
  sum.writeUInt32BE(low, 4);
  return sum.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}
