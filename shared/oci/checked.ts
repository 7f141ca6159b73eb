import { createHash } from "node:crypto";
import type { Descriptor } from "./documents.ts";
import { OciError } from "./errors.ts";

/**
 * The content that a descriptor names, piece by piece: never more than its size, where that is known. After the last piece it throws where size or digest
 * are others, so nothing may be made of it before its end. @throws OciError `OCI_DIGEST_MISMATCH`
 */
export async function* checked(
  content: AsyncIterable<Uint8Array>,
  { digest, size }: Pick<Descriptor, "digest"> & { readonly size?: number | undefined },
): AsyncGenerator<Uint8Array> {
  const sum = createHash("sha256");
  let bytes = 0;
  const mismatch = (why: string): OciError =>
    new OciError("OCI_DIGEST_MISMATCH", `blob ${digest} ${why}: copy or push it again`);
  for await (const piece of content) {
    bytes += piece.byteLength;
    if (size !== undefined && bytes > size) throw mismatch(`has more than its ${size} bytes`);
    sum.update(piece);
    yield piece;
  }
  if (size !== undefined && bytes !== size) throw mismatch(`has ${bytes} bytes instead of ${size}`);
  if (`sha256:${sum.digest("hex")}` !== digest) throw mismatch("is not what its digest says");
}
