import { hash } from "node:crypto";

/** The hashes of a source, as packers write them to hashes.json. */
export interface StackHashes {
  readonly clusterStack: string;
  readonly clusterAddonDir: string;
  readonly clusterAddonValues?: string;
}

/** The files that tell versions of the hash channel apart: as many characters of the hash. */
const SHORT = 7;

/** The hash of files as Go's dirhash makes it, with nothing but small letters and digits left. */
export function filesHash(files: ReadonlyMap<string, Uint8Array>): string {
  const lines = [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, content]) => `${hash("sha256", content, "hex")}  ${path}\n`);
  return hash("sha256", lines.join(""), "base64")
    .replaceAll(/[^a-zA-Z0-9]/g, "")
    .toLowerCase();
}

/** The files below a folder, by their paths in there. */
export const filesBelow = (
  files: ReadonlyMap<string, Uint8Array>,
  folder: string,
): ReadonlyMap<string, Uint8Array> =>
  new Map(
    [...files].flatMap(([path, content]) =>
      path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), content] as const] : [],
    ),
  );

/** The hashes of a source's files. */
export function stackHashes(files: ReadonlyMap<string, Uint8Array>): StackHashes {
  const values = files.get("cluster-addon-values.yaml");
  return {
    clusterStack: filesHash(files),
    clusterAddonDir: filesHash(filesBelow(files, "cluster-addon")),
    ...(values !== undefined && {
      clusterAddonValues: filesHash(new Map([["cluster-addon-values.yaml", values]])),
    }),
  };
}

/** The version on the custom channel that stands for a content: `v0-sha.a1b2c3d`. */
export const hashVersion = ({ clusterStack }: StackHashes): string =>
  `v0-sha.${clusterStack.slice(0, SHORT)}`;
