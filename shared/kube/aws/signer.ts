import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import type { AwsIdentitySource } from "./identity.ts";

/** SHA-256 by node's own crypto, in the form that the signer asks for: with a secret an HMAC. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  }
  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(chunk));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {
    throw new TypeError("A hash is used once.");
  }
}

function bytesOf(source: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof source === "string") return Buffer.from(source);
  return ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
}

/** Signs requests to one service of one region (AWS Signature Version 4). */
export const signer = (service: string, region: string, identity: AwsIdentitySource): SignatureV4 =>
  new SignatureV4({
    service,
    region,
    sha256: Sha256,
    // A copy: the signer notes things on what it is given.
    credentials: async () => {
      const { sessionToken, ...keys } = await identity();
      return { ...keys, ...(sessionToken !== undefined && { sessionToken }) };
    },
    applyChecksum: false,
  });

/** The host of a service's regional endpoint. China has a domain of its own. */
export const hostOf = (service: string, region: string): string =>
  `${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
