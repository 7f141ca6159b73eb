import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonOf } from "../../../../../shared/json/parse.ts";
import {
  type Descriptor,
  digestOf,
  indexSchema,
  REFERENCE_NAME,
} from "../../../../../shared/oci/documents.ts";
import { OciError } from "../../../../../shared/oci/index.ts";
import { type PackedComponent, packedComponent, type UnpackedComponent } from "./packed.ts";

/** Puts a component into an OCI layout, which is made where there is none; one of its version that lies there is replaced. @throws OciError */
export async function putInLayout(folder: string, component: UnpackedComponent): Promise<PackedComponent> {
  const packed = await packedComponent(component);
  const blobs = join(folder, "blobs", "sha256");
  await mkdir(blobs, { recursive: true });
  const write = async (content: Uint8Array): Promise<string> => {
    const digest = digestOf(content);
    await written(join(blobs, digest.replace("sha256:", "")), content);
    return digest;
  };
  for (const { content } of packed.blobs) await write(content);
  const text = Buffer.from(JSON.stringify(packed.manifest));
  const name = `${component.name}:${component.version}`;
  const manifest: Descriptor = {
    mediaType: packed.manifest.mediaType,
    digest: await write(text),
    size: text.byteLength,
    annotations: { [REFERENCE_NAME]: name },
  };
  const others = (await manifestsIn(folder)).filter(
    ({ annotations }) => annotations?.[REFERENCE_NAME] !== name,
  );
  await written(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  // What it names is there by now.
  await written(
    join(folder, "index.json"),
    JSON.stringify({ schemaVersion: 2, manifests: [...others, manifest] }),
  );
  return packed;
}

/** Writes a file whole, or not at all. */
async function written(path: string, content: string | Uint8Array): Promise<void> {
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, content);
  await rename(aside, path);
}

async function manifestsIn(folder: string): Promise<readonly Descriptor[]> {
  const path = join(folder, "index.json");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return [];
  const { data, error } = indexSchema.safeParse(jsonOf(text));
  if (data === undefined)
    throw new OciError("OCI_ANSWER_INVALID", `${path} is no index of an OCI layout`, { cause: error });
  return data.manifests;
}
