import { createHash } from "node:crypto";
import { type FSWatcher, readFileSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Editors write a file in several steps. */
const SETTLE_MILLISECONDS = 80;

export interface Saves {
  /** Watches these files instead. */
  follow(files: readonly string[]): void;
  stop(): void;
}

/**
 * Calls with the files whose content changed. Folders are watched rather than files, since many editors save by putting a new
 * file in the place of the old one.
 */
export function watchSaves(saved: (files: ReadonlySet<string>) => void): Saves {
  const contents = new Map<string, string>();
  const watchers = new Map<string, FSWatcher>();
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const changed = new Set<string>();
    for (const file of touched) {
      const content = contentOf(file);
      if (content === undefined || content === contents.get(file)) continue;
      contents.set(file, content);
      changed.add(file);
    }
    touched.clear();
    if (changed.size > 0) saved(changed);
  };
  const touch = (file: string): void => {
    if (!contents.has(file)) return;
    touched.add(file);
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MILLISECONDS);
    timer.unref();
  };
  return {
    follow(files) {
      for (const file of contents.keys()) if (!files.includes(file)) contents.delete(file);
      for (const file of files) if (!contents.has(file)) contents.set(file, contentOf(file) ?? "");
      const folders = new Set(files.map(dirname));
      for (const [folder, watcher] of watchers)
        if (!folders.has(folder)) {
          watcher.close();
          watchers.delete(folder);
        }
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        const watcher = watch(folder, (_, name) => {
          if (name !== null) touch(join(folder, basename(name)));
        });
        watcher.unref();
        // A folder that was removed has nothing to tell any more.
        watcher.on("error", () => watcher.close());
        watchers.set(folder, watcher);
      }
    },
    stop() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

function contentOf(file: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("base64");
  } catch (thrown) {
    // Between the removal of the old file and the arrival of the new one.
    if (thrown instanceof Error && "code" in thrown) return undefined;
    throw thrown;
  }
}
