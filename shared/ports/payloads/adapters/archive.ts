import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type ArchiveEntry, type Packing, packingOf, unpack } from "../../../archive/index.ts";
import { PayloadsError } from "../errors.ts";
import { Collector, FOLDERS, type Folder, type PayloadLimits } from "./collector.ts";
import { digestOf, type PayloadSource, stamp } from "./source.ts";

const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";
const ENTRY = /^(?:\.?\/)*(manifests|release-manifests)(?:\/([^/]+))?\/?$/;
const ROOT_WHITEOUT = /^(?:\.?\/)*\.wh\.(manifests|release-manifests)$/;

/** Takes one entry of a layer: in an image, names that start with `.wh.` take away what earlier layers put there. */
async function take(image: string, entry: ArchiveEntry, collector: Collector): Promise<void> {
  const { name, type, size } = entry;
  const [, gone] = ROOT_WHITEOUT.exec(name) ?? [];
  if (gone !== undefined) collector.removeFolder(gone as Folder);
  const [, found, file] = ENTRY.exec(name) ?? [];
  const folder = FOLDERS.find((one) => one === found);
  if (folder === undefined || (file === undefined && type !== "directory")) return;
  if (file === undefined) collector.folder(folder);
  else if (file === OPAQUE) collector.remove(`${folder}/`);
  else if (file.startsWith(WHITEOUT)) collector.remove(`${folder}/${file.slice(WHITEOUT.length)}`);
  else if (type === "file" || type === "contiguous-file") {
    collector.announce(`${folder}/${file}`, size);
    collector.add(folder, file, await entry.content());
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
export const collect = (
  image: string,
  packed: AsyncIterable<Uint8Array>,
  packing: Packing,
  collector: Collector,
): Promise<void> =>
  unpack(packed, packing, {
    unpacked: (bytes) => collector.unpacked(bytes),
    entry: (entry) => take(image, entry, collector),
  });

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
      await collect(image, createReadStream(path), packingOf(await startOf(path)), collector);
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
