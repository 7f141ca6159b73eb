import { mkdirSync, readFileSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CliError } from "../../shared/function/command-errors.ts";
import type { KnownFunction, KnownKind } from "../systems/declared.ts";
import { fileError } from "./file-error.ts";

/** The files of one data directory. */
export interface StateDirectory {
  readonly path: string;
  readonly kubeconfig: string;
  /** The file about the present or last run of `dev` here: see `RunFile`. */
  readonly runFile: string;
  readonly lock: string;
  /** The objects of the local API. */
  readonly api: string;
  /** etcd, certificates and logs of `--real`. */
  readonly controlPlane: string;
  /** A folder for each cluster that functions ran on: what is known of one must never be taken for another's. */
  readonly clusters: string;
  /** A folder for each of other clusters that samples need. */
  readonly others: string;
}

/** The folder that `--data` names, as absolute paths. Touches nothing. */
export function stateDirectory(path: string): StateDirectory {
  const root = resolve(path);
  return {
    path: root,
    kubeconfig: join(root, "kubeconfig"),
    runFile: join(root, "run.json"),
    lock: join(root, "lock"),
    api: join(root, "api"),
    controlPlane: join(root, "control-plane"),
    clusters: join(root, "clusters"),
    others: join(root, "other-clusters"),
  };
}

/** The bus and the ledger of one cluster. */
export function clusterFiles(
  directory: StateDirectory,
  cluster: string,
): { readonly folder: string; readonly bus: string; readonly ledger: string } {
  const folder = join(directory.clusters, cluster.replaceAll(/[^A-Za-z0-9._-]/g, "_"));
  return { folder, bus: join(folder, "bus.db"), ledger: join(folder, "ledger.db") };
}

/** Makes the folder, for its owner only, and proves that it can be written. Throws a `CliError`. */
export function prepareDirectory(directory: StateDirectory): void {
  const probe = join(directory.path, `.probe-${process.pid}`);
  try {
    makeFolder(directory.path);
    writeFileSync(probe, Buffer.alloc(4096));
    rmSync(probe);
  } catch (thrown) {
    throw fileError(thrown, directory.path);
  }
  const { bavail, bsize } = statfsSync(directory.path);
  if (bavail * bsize < NEEDED_BYTES)
    throw new CliError(
      "CLI_DISK_FULL",
      `Only ${Math.floor((bavail * bsize) / 1024)} KiB are left where ${directory.path} lies, ${NEEDED_BYTES / 1024 / 1024} MiB are needed: free some, or choose another folder with --data.`,
    );
}

/** The least bytes that the bus, the ledger and the API's objects take, their journals included. */
const NEEDED_BYTES = 16 * 1024 * 1024;

/** Folder by folder: Node's own `recursive` never ends where a file system refuses with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Forgets all that a former run left, except the lock that this one holds. */
export function resetDirectory(directory: StateDirectory): void {
  const { api, controlPlane, clusters, others, kubeconfig, runFile } = directory;
  try {
    for (const path of [runFile, kubeconfig, clusters, others, api, controlPlane])
      rmSync(path, { recursive: true, force: true });
  } catch (thrown) {
    throw fileError(thrown, directory.path);
  }
}

/** Writes a file for its owner only; readers see the old one or the new one whole. */
export function writePrivately(file: string, content: string): void {
  const next = `${file}.new`;
  try {
    rmSync(next, { force: true });
    writeFileSync(next, content, { mode: 0o600 });
    renameSync(next, file);
  } catch (thrown) {
    throw fileError(thrown, file);
  }
}

/** The present or last run of `dev` in a data directory: by it the other commands find it and read its history. */
export interface RunFile {
  readonly pid: number;
  readonly version: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly api: "local" | "real" | "kubeconfig";
  readonly server: string;
  readonly kubeconfig: string;
  readonly context?: string | undefined;
  /** The cluster's name, as keys and events carry it. */
  readonly cluster: string;
  /** `http://127.0.0.1:<port>`: where it tells how it stands. */
  readonly monitor?: string | undefined;
  readonly systems: readonly string[];
  /** Absolute paths of `--functions`. */
  readonly modules: readonly string[];
  readonly namespaces?: readonly string[] | undefined;
  /** For which bus and which functions the watcher published, in its own words; absent where the Lease of the cluster says it. */
  readonly publishedFor?: string | undefined;
  /** Every kind that the functions name. */
  readonly kinds: readonly KnownKind[];
  readonly functions: readonly KnownFunction[];
  /** Systems whose samples were applied: they are applied once, so that a restart undoes nobody's edits. */
  readonly samples: readonly string[];
}
/** Undefined where `dev` never ran there. */
export function readRunFile(directory: StateDirectory): RunFile | undefined {
  try {
    return JSON.parse(readFileSync(directory.runFile, "utf8")) as RunFile;
  } catch (thrown) {
    // One that a full disk cut short tells nothing, as a missing one.
    if (thrown instanceof SyntaxError) return undefined;
    if (
      thrown instanceof Error &&
      "code" in thrown &&
      (thrown.code === "ENOENT" || thrown.code === "ENOTDIR")
    )
      return undefined;
    if (thrown instanceof Error && "code" in thrown && (thrown.code === "EACCES" || thrown.code === "EPERM"))
      throw new CliError(
        "CLI_NOT_READABLE",
        `${directory.runFile} cannot be read by this user: only who started Reveille there may ask it.`,
        { cause: thrown },
      );
    throw fileError(thrown, directory.runFile);
  }
}

export const writeRunFile = (directory: StateDirectory, run: RunFile): void =>
  writePrivately(directory.runFile, `${JSON.stringify(run, null, 2)}\n`);

/** For commands that read what `dev` left: its run file and its bus. Throws a `CliError` where there is nothing. */
export function requireRun(directory: StateDirectory): { readonly run: RunFile; readonly bus: string } {
  const run = readRunFile(directory);
  const bus = run === undefined ? undefined : clusterFiles(directory, run.cluster).bus;
  if (run !== undefined && bus !== undefined && statSync(bus, { throwIfNoEntry: false }) !== undefined)
    return { run, bus };
  throw new CliError(
    "CLI_NO_RUN",
    `Nothing ran in ${directory.path} yet: start it with \`reveille dev\`, or name the folder with --data.`,
  );
}
