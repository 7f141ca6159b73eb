import { messageOf } from "../../../shared/errors.ts";
import { FunctionLoadError, type Loaded, type Loader } from "../../systems/load.ts";
import { watchSaves } from "./saves.ts";
import type { Stack } from "./stack.ts";

export interface ReloadOptions {
  readonly stack: Stack;
  readonly loader: Loader;
  readonly loaded: Loaded;
  readonly told: (functions: readonly string[]) => void;
  readonly failed: (message: string) => void;
}

/** Loads functions anew when their files are saved; the rest of the stack stays up. A failure leaves the old ones at work. */
export function reloadOnSave({ stack, loader, loaded, told, failed }: ReloadOptions): { stop(): void } {
  let changed = new Set<string>();
  let files = loaded.files;
  let busy = false;
  const reload = async (): Promise<void> => {
    while (changed.size > 0) {
      const now = changed;
      changed = new Set();
      try {
        const next = await loader.reload(now);
        files = next.files;
        await stack.use(next.systems, next.functions, next.sources);
        told(next.functions);
      } catch (thrown) {
        failed(messageOf(thrown));
        // What it failed on is saved again before anything else is; what was not taken over is taken then.
        if (thrown instanceof FunctionLoadError) files = [...new Set([...files, ...thrown.files])];
      }
      saves.follow(files);
    }
  };
  const saves = watchSaves((saved) => {
    for (const file of saved) changed.add(file);
    if (busy) return;
    busy = true;
    reload().finally(() => {
      busy = false;
    });
  });
  saves.follow(files);
  return { stop: () => saves.stop() };
}
