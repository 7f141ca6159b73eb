import type { OpenedRelease } from "../../ports/releases/index.ts";

/** True where a digest that was stored names this content: the digest of today, or the one of earlier versions of this program. */
export const namesContent = (
  stored: string | undefined,
  { digest, formerDigest }: Pick<OpenedRelease, "digest" | "formerDigest">,
): boolean => stored === digest || (stored !== undefined && stored === formerDigest);
