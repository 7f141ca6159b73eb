import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package: its own package.json is the nearest one upwards. */
export const packageRoot: string = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    try {
      if (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name === "reveille") return folder;
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT")) throw thrown;
    }
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error("Reveille's own package.json is missing: install the package again.");
    folder = parent;
  }
})();

/** The version of this package. */
export const version: string = String(
  JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")).version,
);
