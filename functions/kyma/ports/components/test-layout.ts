import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PackedComponent, putInLayout, type UnpackedComponent } from "./adapters/index.ts";

/** An OCI layout that components are put into. */
export interface TestLayout {
  readonly folder: string;
  put(component: UnpackedComponent): Promise<PackedComponent>;
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
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}
