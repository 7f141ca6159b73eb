import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

function readManifest(folder: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    return manifest.name === "reveille" ? manifest : undefined;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
    throw thrown;
  }
}

function findPackage(folder: string): { readonly root: string; readonly manifest: Manifest } {
  const manifest = readManifest(folder);
  if (manifest !== undefined) return { root: folder, manifest };
  const parent = dirname(folder);
  if (parent === folder)
    throw new Error("Reveille's own package.json is missing: install the package again.");
  return findPackage(parent);
}

/** The folder of this package, and its package.json: the nearest of its name upwards. */
export const { root: packageRoot, manifest } = findPackage(dirname(fileURLToPath(import.meta.url)));
/** The version of this package. */
export const { version } = manifest;
