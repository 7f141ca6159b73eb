/** One field of a message as it travels: a number, or bytes. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** Bytes that are no protobuf message. */
export class WireError extends Error {}

/** The fields of a message, in their order. Fixed-size numbers are not used by the Kubernetes API. */
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
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        yield { number, value: varint() };
        break;
      case 2: {
        const length = Number(varint());
        if (length < 0 || at + length > bytes.length)
          throw new WireError("a field is longer than its message");
        yield { number, value: bytes.subarray(at, at + length) };
        at += length;
        break;
      }
      default:
        throw new WireError(`wire type ${tag & 7} is not used by Kubernetes`);
    }
  }
}
