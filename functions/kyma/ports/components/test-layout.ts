import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOf, REFERENCE_NAME } from "../../../../shared/oci/documents.ts";
import { type PackedComponent, packedComponent, type UnpackedComponent } from "./adapters/index.ts";

/** An OCI layout that components are put into. */
export interface TestLayout {
  readonly folder: string;
  put(component: UnpackedComponent): Promise<PackedComponent>;
  stop(): Promise<void>;
}

/** Makes an empty OCI layout; without a folder in one of its own, which `stop` takes away. */
export async function testLayout(given?: string): Promise<TestLayout> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), "components-")));
  const blobs = join(folder, "blobs", "sha256");
  await mkdir(blobs, { recursive: true });
  const manifests: object[] = [];
  const write = async (content: Uint8Array): Promise<string> => {
    const digest = digestOf(content);
    await writeFile(join(blobs, digest.replace("sha256:", "")), content);
    return digest;
  };
  const index = (): Promise<void> =>
    writeFile(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  await writeFile(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  await index();
  return {
    folder,
    put: async (component) => {
      const packed = await packedComponent(component);
      for (const { content } of packed.blobs) await write(content);
      const text = Buffer.from(JSON.stringify(packed.manifest));
      manifests.push({
        mediaType: packed.manifest.mediaType,
        digest: await write(text),
        size: text.byteLength,
        annotations: { [REFERENCE_NAME]: `${component.name}:${component.version}` },
      });
      await index();
      return packed;
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}
