import { posix } from "node:path";
import { packFiles } from "../../../../../shared/archive/index.ts";
import { isPackageFile } from "../../../decide/package/index.ts";
import type { PackageSource, Packages } from "../contract.ts";
import { unreadable } from "./archive.ts";

/** Files in memory, by path, for tests: a folder of them is a package. What is saved is there afterwards. */
export function memoryPackages(
  texts: Readonly<Record<string, string>> = {},
): Packages & { readonly files: ReadonlyMap<string, string> } {
  const files = new Map(Object.entries(texts));
  const open = async (place: string): Promise<PackageSource> => {
    const folder = posix.normalize(place).replace(/\/$/, "");
    const found = [...files].flatMap(([path, text]) => {
      const inner = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : "";
      return isPackageFile(inner) ? [[inner, Buffer.from(text)] as const] : [];
    });
    if (found.length === 0) throw unreadable(place, "there is no such folder or file");
    return { place, files: new Map(found), child: (path) => open(posix.join(folder, path)) };
  };
  return {
    files,
    open,
    pack: (folder) =>
      packFiles(
        new Map(
          [...files].flatMap(([path, text]) =>
            path.startsWith(`${folder}/`)
              ? [[path.slice(folder.length + 1), Buffer.from(text)] as const]
              : [],
          ),
        ),
      ),
    text: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw unreadable(path, "there is no such file");
      return text;
    },
    save: async (folder, saved, { overwrite = false } = {}) => {
      const targets = [...saved].map(([path, content]) => [posix.join(folder, path), content] as const);
      for (const [target, content] of targets) {
        if (files.has(target) && !overwrite)
          throw unreadable(target, "it is there already; --overwrite replaces it");
        files.set(target, typeof content === "string" ? content : Buffer.from(content).toString("latin1"));
      }
      return targets.map(([target]) => target);
    },
  };
}
