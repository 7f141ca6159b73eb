import { enableCompileCache } from "node:module";
import { isAbsolute, join } from "node:path";

/**
 * The folder of this user's caches, as the XDG Base Directory Specification has it; undefined where the user has no home. Never one
 * that others may write into: what lies there is run.
 */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = environment.XDG_CACHE_HOME;
  if (named !== undefined && isAbsolute(named)) return join(named, "reveille");
  const home = environment.HOME;
  return home !== undefined && isAbsolute(home) ? join(home, ".cache", "reveille") : undefined;
}

/**
 * Has Node keep what it compiles for the next start of the program: half of the time of a short command is compiling. A folder that
 * cannot be written to, or none, makes the start no worse than before. `NODE_COMPILE_CACHE` names another folder, and
 * `NODE_DISABLE_COMPILE_CACHE=1` keeps nothing.
 */
export function keepCompiledCode(): void {
  const folder = cacheFolder(process.env);
  if (folder !== undefined) enableCompileCache(join(folder, "compiled"));
}
