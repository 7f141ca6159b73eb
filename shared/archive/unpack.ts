import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import type { Packing } from "./packing.ts";
import { unzstd } from "./zstd.ts";

/** One entry of a tar stream, as its header has it: a name may lead anywhere, see `safePath`. */
export interface ArchiveEntry {
  readonly name: string;
  /** `file`, `directory`, `symlink` and the like. */
  readonly type: string;
  /** In bytes, as the header says. */
  readonly size: number;
  /** Reads the content into memory. Whoever calls it has looked at `size` before. */
  content(): Promise<Uint8Array>;
}

/** The visitor of an archive. What it throws stops the reading, and is what `unpack` throws. */
export interface ArchiveVisitor {
  /** Hears of each piece that comes out of the packing, entries that are passed over included: in bytes. */
  unpacked(bytes: number): void;
  /** Takes an entry, or passes it over. Called in the archive's order, one at a time. */
  entry(entry: ArchiveEntry): void | Promise<void>;
}

/** Programs before 1988 leave out the mark of a tar; the sum of a header is checked all the same. */
const READING: Parameters<typeof extract>[0] & { readonly allowUnknownFormat: true } = {
  allowUnknownFormat: true,
};

/** The type of what is neither a file nor any other of those that all programs know. */
const SPECIAL = "special file (one with holes, say)";

/** The type of an entry. The oldest programs mark a folder by its name alone, and GNU's a file with holes by records of its own. */
function typeOf({ name, type, pax }: Header): string {
  if (type !== "file") return type ?? SPECIAL;
  if (Object.keys(pax ?? {}).some((key) => key.startsWith("GNU.sparse."))) return SPECIAL;
  return name.endsWith("/") ? "directory" : type;
}

async function contentOf(chunks: AsyncIterable<unknown>): Promise<Uint8Array> {
  const content: Uint8Array[] = [];
  for await (const chunk of chunks) content.push(chunk as Uint8Array);
  return Buffer.concat(content);
}

/**
 * Reads a tar stream, packed or not, and keeps nothing of it in memory but the contents that the visitor asks for. Throws what
 * the visitor throws, else whatever the streams throw where the archive is damaged.
 */
export async function unpack(
  packed: AsyncIterable<Uint8Array>,
  packing: Packing,
  visitor: ArchiveVisitor,
): Promise<void> {
  const tar = extract(READING);
  const stop = new AbortController();
  const refusals: unknown[] = [];
  const refusing = async (visit: () => void | Promise<void>): Promise<void> => {
    try {
      await visit();
    } catch (error) {
      refusals.push(error);
      throw error;
    }
  };
  const feed = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) {
      await refusing(() => visitor.unpacked(chunk.byteLength));
      if (!tar.write(chunk)) await once(tar, "drain", { signal: stop.signal });
    }
    tar.end(null);
  };
  const { signal } = stop;
  const fed =
    packing === "none"
      ? pipeline(packed, feed, { signal })
      : pipeline(packed, packing === "gzip" ? createGunzip() : unzstd, feed, { signal });
  const failed = fed.catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  const consume = async (): Promise<void> => {
    try {
      for await (const entry of tar) {
        const { name, size } = entry.header;
        // Reading the content of a damaged archive fails too, and that is no refusal of the visitor.
        let damage: { readonly error: unknown } | undefined;
        await refusing(async () => {
          await visitor.entry({
            name,
            type: typeOf(entry.header),
            size: size ?? 0,
            content: () =>
              contentOf(entry).catch((error: unknown) => {
                damage = { error };
                throw error;
              }),
          });
        }).catch((error: unknown) => {
          if (damage?.error === error) refusals.pop();
          throw error;
        });
        entry.resume();
      }
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  };
  const [feeding, consuming] = await Promise.allSettled([failed, consume()]);
  // What the consumer refuses stops the feeder, and the other way round: what the visitor said is the cause.
  const thrown = [consuming, feeding].flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  if (thrown.length > 0) throw refusals.length > 0 ? refusals[0] : thrown[0];
}
