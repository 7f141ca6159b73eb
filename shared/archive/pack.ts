import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

/** A .tgz of files, the same bytes for the same files. */
export const packFiles = async (files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> =>
  gzipSync(await packTar(files));

/** A tar of files, the same bytes for the same files: sorted, owned by root, of no time. */
export async function packTar(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    archive.entry(
      { name, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0, uname: "root", gname: "root" },
      Buffer.from(content),
    );
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
