import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { digestOf, indexSchema, REFERENCE_NAME } from "../../../../shared/oci/documents.ts";
import { componentPath } from "./adapters/blobs.ts";
import {
  type PackedComponent,
  type Place,
  type Published,
  putInLayout,
  type UnpackedComponent,
} from "./adapters/index.ts";

/** An OCI layout that components are put into. */
export interface TestLayout {
  readonly folder: string;
  put(component: UnpackedComponent): Promise<PackedComponent>;
  /** Puts documents and blobs there as they are. */
  publish(place: Place, published: Published): Promise<void>;
  stop(): Promise<void>;
}

/** Makes an empty OCI layout; without a folder in one of its own, which `stop` takes away. */
export async function testLayout(given?: string): Promise<TestLayout> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), "components-")));
  await writeFile(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  await writeFile(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [] }));
  return {
    folder,
    put: (component) => putInLayout(folder, component),
    publish: (place, published) => publishedIn(folder, place, published),
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

async function publishedIn(
  folder: string,
  place: Place,
  { blobs = [], documents = [] }: Published,
): Promise<void> {
  const written = async (content: Uint8Array): Promise<string> => {
    const digest = digestOf(content);
    const path = join(folder, "blobs", digest.replace(":", "/"));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return digest;
  };
  for (const content of blobs) await written(content);
  const index = join(folder, "index.json");
  const { manifests } = indexSchema.parse(JSON.parse(await readFile(index, "utf8")));
  for (const { tag, content } of documents) {
    const text = Buffer.from(JSON.stringify(content));
    const digest = await written(text);
    if (tag === undefined) continue;
    const name = "component" in place ? componentPath(place.component) : place.repository;
    manifests.push({
      mediaType: content.mediaType,
      digest,
      size: text.byteLength,
      annotations: { [REFERENCE_NAME]: `${name}:${tag}` },
    });
  }
  await writeFile(index, JSON.stringify({ schemaVersion: 2, manifests }));
}
