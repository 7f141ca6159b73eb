/** One field of a message as it travels: a number, or bytes. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** Bytes that are no protobuf message. */
export class WireError extends Error {}

/** The fields of a message, in their order. A float comes as its eight bytes. */
export function* readFields(bytes: Uint8Array): Generator<WireField, void, void> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new WireError("a number does not end");
  };
  const take = (length: number): Uint8Array => {
    if (length < 0 || at + length > bytes.length) throw new WireError("a field is longer than its message");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        yield { number, value: take(8) };
        break;
      case 2:
        yield { number, value: take(Number(varint())) };
        break;
      default:
        throw new WireError(`wire type ${tag & 7} is not used by Kubernetes`);
    }
  }
}
