import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { messageOf, ReveilleError } from "../../errors.ts";

/** A secret, as it is now: rotated by writing its file anew. */
export type Secret = () => Promise<string>;

/** A file that should hold a secret and cannot be read, or is empty. */
export class SecretError extends ReveilleError {}

/** The secret that a file holds, without white space around it; read again when the file changes. */
export function secretFile(file: string): Secret {
  let known: { readonly version: string; readonly text: string } | undefined;
  return async () => {
    try {
      const { mtimeNs, ino, size } = await stat(file, { bigint: true });
      const version = `${ino} ${mtimeNs} ${size}`;
      if (known?.version !== version) known = { version, text: (await readFile(file, "utf8")).trim() };
    } catch (thrown) {
      throw new SecretError(
        "SECRET_UNREADABLE",
        `The secret in ${file} cannot be read: ${messageOf(thrown)}.`,
        {
          cause: thrown,
        },
      );
    }
    if (known.text === "")
      throw new SecretError("SECRET_UNREADABLE", `${file} is empty: write the secret there.`);
    return known.text;
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares without telling by its time how much of it is right, nor how long the secret is. */
export const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** True where the header proves that the bytes were signed with the secret. */
export function isSigned(body: Uint8Array, secret: string, header: string | undefined): boolean {
  const expected = createHmac("sha256", secret).update(body).digest("hex");
  return isSame(header ?? "", `sha256=${expected}`);
}
