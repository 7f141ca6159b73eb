import { createHash, hash } from "node:crypto";
import { ArchiveError, filesOf } from "../../../../../shared/archive/index.ts";
import { type Archive, isAsset, isChartArchive, type OpenedRelease } from "../contract.ts";

/** The most bytes of one asset, and of all assets of a release. */
export const MOST_BYTES = { asset: 16 * 2 ** 20, release: 32 * 2 ** 20 } as const;

/** A release of these files: those that are assets, and what lies in their archives. */
export async function openedRelease(
  found: ReadonlyMap<string, Uint8Array>,
  more: Pick<OpenedRelease, "publishedAt" | "formerDigest"> = {},
): Promise<OpenedRelease> {
  const names = [...found.keys()].filter(isAsset).sort();
  const files = new Map(names.flatMap((name) => [[name, found.get(name) ?? new Uint8Array()] as const]));
  const archives = new Map<string, Archive>();
  for (const [name, content] of files) if (isChartArchive(name)) archives.set(name, await unpacked(content));
  return { digest: contentDigest(files), ...more, files, archives };
}

/** The digest of files by their names and contents, whatever their order. */
export function contentDigest(files: ReadonlyMap<string, Uint8Array>): string {
  const digest = createHash("sha256");
  for (const [name, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    digest.update(`${JSON.stringify(name)} ${hash("sha256", content, "hex")}\n`);
  return `sha256:${digest.digest("hex")}`;
}

async function unpacked(content: Uint8Array): Promise<Archive> {
  try {
    return { files: await filesOf(content) };
  } catch (error) {
    if (error instanceof ArchiveError) return { fault: error.message };
    throw error;
  }
}

/** The sentence that refuses assets for their size; undefined where they are within bounds. */
export function tooLarge(sizes: readonly (readonly [name: string, bytes: number])[]): string | undefined {
  const large = sizes.find(([, bytes]) => bytes > MOST_BYTES.asset);
  if (large !== undefined) return `${large[0]} has ${large[1]} bytes, ${MOST_BYTES.asset} at most`;
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  return total > MOST_BYTES.release
    ? `its assets have ${total} bytes, ${MOST_BYTES.release} at most`
    : undefined;
}
