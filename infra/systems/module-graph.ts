import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { manifest } from "./package.ts";

/** The folder above `infra`, in the sources as in the built package. */
export const sourceRoot: string = fileURLToPath(new URL("../..", import.meta.url));

const GENERATION = "reveille";
const ours = pathToFileURL(join(sourceRoot, "infra/cli/main.ts")).href;
/** The folders that the engine itself has loaded; they stay one copy: kinds, schemas and errors are compared by identity. */
const kept = ["shared", "events", "infra"].map((folder) => pathToFileURL(join(sourceRoot, folder)).href);
/** Files with the digests that they had before they were read, by the generation that loads them. */
const graphs = new Map<string, Map<string, string>>();
/** The groups that were imported last, by their files. */
const imported = new Map<string, ReadonlyMap<string, FreshModule>>();
let generation = 0;
const exported = manifest.exports;

const isReloadable = (url: string): boolean =>
  url.startsWith("file:") &&
  !url.includes("/node_modules/") &&
  !kept.some((folder) => url.startsWith(`${folder}/`));

const isMissing = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && thrown.code === "ERR_MODULE_NOT_FOUND";

/** An entry of our own `exports`, in the form (built or source) that runs now: a second copy of the engine would not be it. */
function engineModule(specifier: string): string | undefined {
  const target = (exported as Readonly<Record<string, { readonly default?: string } | string>>)[
    specifier.replace("reveille", ".")
  ];
  if (typeof target !== "object" || target.default === undefined) return undefined;
  const path = target.default.replace(/^\.\/dist\//, "").replace(/\.js$/, extname(import.meta.filename));
  return pathToFileURL(join(sourceRoot, path)).href;
}

let hooked = false;
function hook(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const loading = context.parentURL?.startsWith("file:")
        ? new URL(context.parentURL).searchParams.get(GENERATION)
        : null;
      if (loading === null) return next(specifier, context);
      const answer = (() => {
        // A function in an empty folder finds the engine, and what the engine itself is made of.
        if (specifier === "reveille" || specifier.startsWith("reveille/"))
          return next(engineModule(specifier) ?? specifier, { ...context, parentURL: ours });
        try {
          return next(specifier, context);
        } catch (thrown) {
          if (!isMissing(thrown) || specifier.startsWith(".") || specifier.startsWith("/")) throw thrown;
          return next(specifier, { ...context, parentURL: ours });
        }
      })();
      if (!isReloadable(answer.url)) return answer;
      const url = new URL(answer.url);
      const file = fileURLToPath(url);
      graphs.get(loading)?.set(file, digestOf(file));
      url.searchParams.set(GENERATION, loading);
      return { ...answer, url: url.href };
    },
  });
}

/** A module as it is on disk now, with all that it imports. */
export interface FreshModule {
  readonly exports: Readonly<Record<string, unknown>>;
  /** Absolute paths: a change of one of them makes the module another one. */
  readonly files: readonly string[];
  /** Those of the files, as they were imported. */
  readonly digests: ReadonlyMap<string, string>;
}

/** A module that could not be loaded, with its files so far: the next save of one of them is the next try. */
export class ModuleLoadError extends Error {
  readonly files: readonly string[];
  constructor(cause: unknown, files: readonly string[]) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.files = files;
  }
}

/**
 * Imports modules as their files are now: each load is a generation of its own, told apart by a query that a resolve hook hands
 * down the import graph. So the engine stays up while functions change. A group whose files are as they were is not imported anew.
 * Old generations stay in memory, which a day of saving can afford.
 *
 * @param groups the modules of a group share what they import: an error that one throws is of the class that another one knows. The
 *   files of a later one are those that no earlier one of its group has imported
 */
export async function importFresh(
  groups: readonly (readonly string[])[],
): Promise<ReadonlyMap<string, FreshModule>> {
  hook();
  generation += 1;
  const modules = new Map<string, FreshModule>();
  for (const [index, files] of groups.entries()) {
    const name = files.join("\n");
    const present = imported.get(name);
    const group =
      present !== undefined && isAsItWas(present)
        ? present
        : await importGroup(files, `${generation}.${index}`, modules);
    imported.set(name, group);
    for (const [file, module] of group) modules.set(file, module);
  }
  return modules;
}

async function importGroup(
  files: readonly string[],
  name: string,
  others: ReadonlyMap<string, FreshModule>,
): Promise<ReadonlyMap<string, FreshModule>> {
  const modules = new Map<string, FreshModule>();
  for (const file of files) {
    const graph = new Map([[file, digestOf(file)]]);
    graphs.set(name, graph);
    const url = pathToFileURL(file);
    url.searchParams.set(GENERATION, name);
    try {
      const exports = await import(url.href);
      modules.set(file, { exports, files: [...graph.keys()], digests: graph });
    } catch (thrown) {
      const before = [...others.values(), ...modules.values()].flatMap((one) => one.files);
      throw new ModuleLoadError(thrown, [...new Set([...graph.keys(), ...before])]);
    } finally {
      graphs.delete(name);
    }
  }
  return modules;
}

const isAsItWas = (group: ReadonlyMap<string, FreshModule>): boolean =>
  group
    .values()
    .flatMap(({ digests }) => digests.entries())
    .every(([file, digest]) => digestOf(file) === digest);

const ABSENT = "";
const digestOf = (file: string): string =>
  existsSync(file) ? hash("sha256", readFileSync(file), "base64url") : ABSENT;
