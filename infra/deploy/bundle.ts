import { execFileSync } from "node:child_process";
import { basename, dirname, extname, resolve } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";

const banner = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

export interface Bundle {
  readonly file: string;
  /** The code that an import of the file loads. */
  readonly bytes: number;
  /** The code beside it that is loaded where its use begins. */
  readonly later: number;
}

/**
 * One module of all that a program needs. Where the source is given it is minified, as a deployment ships it, and what the program imports
 * where its use begins lies beside it in modules of their own.
 */
export async function bundle(
  entry: string | { readonly source: string; readonly from: string },
  file: string,
  /** Modules that stand in for packages, by the package's name. */
  alias: Readonly<Record<string, string>> = {},
  /** Modules that stand in for parts of packages, by `package/file`. */
  parts: Readonly<Record<string, string>> = {},
  unused?: Unused,
): Promise<Bundle> {
  const { metafile } = await build({
    ...(typeof entry === "string"
      ? { entryPoints: [entry] }
      : { stdin: { contents: entry.source, resolveDir: entry.from, loader: "ts" as const } }),
    ...(typeof entry === "string"
      ? { outfile: file }
      : {
          outdir: dirname(file),
          entryNames: basename(file, extname(file)),
          chunkNames: "part-[hash]",
          outExtension: { ".js": extname(file) },
          splitting: true,
        }),
    bundle: true,
    alias,
    plugins: [partsOfPackages(parts), withoutFiles(unused)],
    // Not the programs that are measured: a stack trace of one long line helps nobody.
    minify: typeof entry !== "string",
    platform: "node",
    format: "esm",
    target: "node24",
    // Their ESM parts where there are some: what is not used falls away.
    mainFields: ["module", "main"],
    // Heavy, and loaded only where a kubeconfig asks for exec or OIDC.
    external: ["@kubernetes/client-node"],
    banner: { js: banner },
    logLevel: "error",
    metafile: true,
  });
  return { file, ...loadedBy(metafile) };
}

/** The bytes of what the entry imports at once, and of all else. */
function loadedBy({ outputs }: Metafile): Pick<Bundle, "bytes" | "later"> {
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint !== undefined && !isPart(file));
  const atOnce = new Set<string>();
  const open = entry === undefined ? [] : [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (atOnce.has(file)) continue;
    atOnce.add(file);
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind === "import-statement" && external !== true) open.push(path);
  }
  const sum = (files: readonly string[]): number =>
    files.reduce((bytes, file) => bytes + (outputs[file]?.bytes ?? 0), 0);
  return {
    bytes: sum([...atOnce]),
    later: sum(Object.keys(outputs).filter((file) => !atOnce.has(file))),
  };
}
/** True for a module that is loaded where its use begins: it is an entry of its own. */
const isPart = (file: string): boolean => basename(file).startsWith("part-");

/** The packages of these that come to be part of a bundle. */
export async function packagesIn(
  { source, from }: { readonly source: string; readonly from: string },
  alias: Readonly<Record<string, string>>,
  packages: readonly string[],
  unused?: Unused,
): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: from, loader: "ts" },
    write: false,
    bundle: true,
    alias,
    platform: "node",
    format: "esm",
    target: "node24",
    mainFields: ["module", "main"],
    external: ["@kubernetes/client-node"],
    plugins: [withoutFiles(unused)],
    logLevel: "error",
    metafile: true,
  });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return packages.filter((name) => used.some((input) => input.includes(`node_modules/${name}/`)));
}

/** Files of ours that a module imports in vain: what it is given of them is a function that gives nothing. */
export interface Unused {
  readonly by: string;
  readonly files: readonly string[];
}

const withoutFiles = (unused: Unused | undefined): Plugin => ({
  name: "without-files",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, importer, resolveDir }) =>
      importer === unused?.by && unused.files.includes(resolve(resolveDir, path))
        ? { path, namespace: "unused" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "unused" }, () => ({
      contents: "module.exports = new Proxy({}, { get: () => () => undefined });",
    }));
  },
});

/** Puts modules in the place of files that a package asks for by a path of its own. */
const partsOfPackages = (parts: Readonly<Record<string, string>>): Plugin => ({
  name: "parts-of-packages",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ path, importer }) => {
      const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(importer) ?? [];
      const standIn = name && parts[`${name}/${basename(path, ".js")}`];
      return standIn ? { path: standIn } : undefined;
    }),
});

const timed = `const began = performance.now(); await import(process.argv[1]); console.log(performance.now() - began);`;

/** The time that a process of its own takes to import a module, in milliseconds: the median of some tries. */
export function importMilliseconds(file: string, environment: NodeJS.ProcessEnv = process.env): number {
  const tries = Array.from({ length: 5 }, () =>
    Number(
      execFileSync(process.execPath, ["--input-type=module", "-e", timed, file], {
        encoding: "utf8",
        env: environment,
      }),
    ),
  );
  return tries.sort((one, other) => one - other)[2] ?? Number.NaN;
}
