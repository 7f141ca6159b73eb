import { execFile, type SpawnOptions, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

interface Manifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
const pinned = (name: string): string => `${name}@${manifest.devDependencies[name]}`;

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty folder of somebody who installed the packed package, and nothing else but a compiler. */
export interface Project {
  readonly folder: string;
  /** The files that the tarball carries, without `package/`. */
  readonly packed: readonly string[];
  read(file: string): string;
  write(file: string, text: string): void;
  run(command: string, args: readonly string[], options?: { readonly path?: string }): Promise<Ended>;
  /** Starts a command in a process group of its own, as a terminal does; `interrupt` is Ctrl-C there. */
  start(
    command: string,
    args: readonly string[],
  ): { readonly child: ReturnType<typeof spawn>; interrupt(signal?: NodeJS.Signals): void };
  remove(): void;
}

/** The tests' own Node must not be found before the project's. */
function environment(path: string | undefined): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...rest } = process.env;
  const outside = (path ?? process.env.PATH ?? "").split(":").filter((each) => !each.startsWith(root));
  const npm = Object.keys(rest).filter((name) => name.toLowerCase().startsWith("npm_"));
  for (const name of npm) if (!name.toLowerCase().startsWith("npm_config_")) delete rest[name];
  return { ...rest, PATH: outside.join(":") };
}

const run = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly path?: string | undefined },
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const { cwd, path } = options;
    execFile(
      command,
      [...args],
      { cwd, env: environment(path), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== "number") return reject(error);
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });

async function must(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}

/** Packs this checkout and installs the tarball in a new folder, with the pinned Node and compiler. */
export async function installPacked(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), "reveille-package-"));
  const tarball = join(folder, `reveille-${manifest.version}.tgz`);
  await must("npm", ["pack", "--silent", "--pack-destination", folder], root);
  const packed = (await must("tar", ["-tzf", tarball], folder))
    .trim()
    .split("\n")
    .map((file) => file.replace(/^package\//, ""));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "somebody", private: true, type: "module", allowScripts: { node: true } }),
  );
  const wanted = [tarball, pinned("node"), pinned("typescript"), pinned("@types/node")];
  await must("npm", ["install", "--no-audit", "--no-fund", ...wanted], folder);
  const spawning: SpawnOptions = { cwd: folder, env: environment(undefined), detached: true };
  return {
    folder,
    packed,
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write: (file, text) => writeFileSync(join(folder, file), text),
    run: (command, args, { path } = {}) => run(command, args, { cwd: folder, path }),
    start: (command, args) => {
      const child = spawn(command, [...args], spawning);
      const interrupt = (signal: NodeJS.Signals = "SIGINT"): void => {
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, signal);
      };
      return { child, interrupt };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
