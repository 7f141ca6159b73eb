import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { sourceRoot } from "./module-graph.ts";

const folder = join(sourceRoot, "functions");
const extension = extname(import.meta.filename);

/** The folder of a system's code, in the sources as in the built package. */
export const systemFolder = (system: string): string => join(folder, system);

/** The file of a system that a host loads. */
export const systemEntry = (system: string): string => join(systemFolder(system), `index${extension}`);

/** Names of all folders of `functions/`: of systems that are still being built too, which no host knows. */
export const systemFolders = (): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

/** Names of the systems that come with Reveille: the folders of `functions/`. */
export function knownSystems(): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(systemEntry(entry.name)))
    .map(({ name }) => name)
    .sort();
}
