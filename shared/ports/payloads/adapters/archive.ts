import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { PayloadsError } from "../errors.ts";
import { Collector, FOLDERS, type Folder, type PayloadLimits } from "./collector.ts";
import { digestOf, type PayloadSource, stamp } from "./source.ts";

const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";
const ENTRY = /^(?:\.?\/)*(manifests|release-manifests)(?:\/([^/]+))?\/?$/;
const ROOT_WHITEOUT = /^(?:\.?\/)*\.wh\.(manifests|release-manifests)$/;

/** The compression of the bytes before a tar stream. */
export type Packing = "none" | "gzip" | "zstd";

export function packingOf(start: Uint8Array): Packing {
  const hex = Buffer.from(start.subarray(0, 4)).toString("hex");
  return hex.startsWith("1f8b") ? "gzip" : hex === "28b52ffd" ? "zstd" : "none";
}

type Entry = AsyncIterable<unknown> & { readonly header: Header };

async function contentOf(entry: Entry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Takes one entry of a layer: in an image, names that start with `.wh.` take away what earlier layers put there. */
async function take(image: string, entry: Entry, collector: Collector): Promise<void> {
  const { name, type, size } = entry.header;
  const [, gone] = ROOT_WHITEOUT.exec(name) ?? [];
  if (gone !== undefined) collector.removeFolder(gone as Folder);
  const [, found, file] = ENTRY.exec(name) ?? [];
  const folder = FOLDERS.find((one) => one === found);
  if (folder === undefined || (file === undefined && type !== "directory")) return;
  if (file === undefined) collector.folder(folder);
  else if (file === OPAQUE) collector.remove(`${folder}/`);
  else if (file.startsWith(WHITEOUT)) collector.remove(`${folder}/${file.slice(WHITEOUT.length)}`);
  else if (type === "file" || type === "contiguous-file") {
    collector.announce(`${folder}/${file}`, size ?? 0);
    collector.add(folder, file, await contentOf(entry));
  } else if (type !== "directory")
    throw new PayloadsError(
      "PAYLOAD_UNREADABLE",
      image,
      `${folder}/${file} is a ${type}: pack the file itself`,
    );
}

/**
 * Reads a tar stream into the collector, packed or not, and nothing but its manifests into memory.
 * @throws PayloadsError; whatever the streams throw where the archive is damaged.
 */
export async function unpack(
  image: string,
  packed: AsyncIterable<Uint8Array>,
  packing: Packing,
  collector: Collector,
): Promise<void> {
  const tar = extract();
  const stop = new AbortController();
  const feed = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) {
      collector.unpacked(chunk.byteLength);
      if (!tar.write(chunk)) await once(tar, "drain", { signal: stop.signal });
    }
    tar.end(null);
  };
  const { signal } = stop;
  const fed =
    packing === "none"
      ? pipeline(packed, feed, { signal })
      : pipeline(packed, packing === "gzip" ? createGunzip() : createZstdDecompress(), feed, { signal });
  const failed = fed.catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  const consume = async (): Promise<void> => {
    try {
      for await (const entry of tar) {
        await take(image, entry, collector);
        entry.resume();
      }
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  };
  const [feeding, consuming] = await Promise.allSettled([failed, consume()]);
  // What the consumer refuses stops the feeder, and the other way round: the first of the two is the cause.
  const refused = [consuming, feeding].flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  if (refused.length > 0) throw refused.find((reason) => reason instanceof PayloadsError) ?? refused[0];
}

async function startOf(path: string): Promise<Uint8Array> {
  for await (const chunk of createReadStream(path, { end: 3 })) return chunk as Uint8Array;
  return new Uint8Array();
}

/** A payload in a tar file, plain or packed with gzip or zstd, with the two folders at its root. */
export function archiveSource(image: string, path: string, limits: PayloadLimits): PayloadSource {
  const fingerprint = async (): Promise<string> => digestOf(stamp(path, await stat(path, { bigint: true })));
  return {
    fingerprint,
    files: async () => {
      const before = await fingerprint();
      const collector = new Collector(image, limits);
      await unpack(image, createReadStream(path), packingOf(await startOf(path)), collector);
      if ((await fingerprint()) !== before)
        throw new PayloadsError(
          "PAYLOAD_CHANGED",
          image,
          "its archive changed while it was read; it is read again",
        );
      return collector.files();
    },
  };
}
