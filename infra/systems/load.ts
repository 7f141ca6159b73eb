import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import type { SystemAdapters } from "../../shared/function/adapters.ts";
import { CliError, UsageError } from "../../shared/function/command-errors.ts";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import { defineSystem, type System } from "../../shared/function/system.ts";
import { withAdapters } from "../../shared/host/configuration.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import type { Kind } from "../../shared/kube/kind.ts";
import { ownKindsOf } from "./declared.ts";
import { knownSystems, systemEntry } from "./known.ts";
import { type FreshModule, importFresh, ModuleLoadError, sourceRoot } from "./module-graph.ts";
import { partFile, systemsWith } from "./parts.ts";

/** The choice of functions: systems by name (absent: all that need not be named; `none`: none) and modules of one's own. */
export interface Selection {
  readonly systems?: string | undefined;
  /** The cluster is Reveille's own: absent means all systems, those too that want to be named elsewhere. */
  readonly own?: boolean | undefined;
  readonly functions?: readonly string[] | undefined;
  /** Their functions are going to run in this process: the adapters of their ports are loaded too. */
  readonly run?: boolean | undefined;
}

/** The systems that were loaded, and the files that they were loaded from. */
export interface Loaded {
  readonly systems: readonly System[];
  /** Absolute paths: a change of one of them changes functions. */
  readonly files: readonly string[];
  /** A digest of the files that a system was loaded from, by system. */
  readonly sources: Readonly<Record<string, string>>;
  /** Absolute paths of one's own modules. */
  readonly modules: readonly string[];
}

/** Loads what is selected, and again what changed. */
export interface Loader {
  load(): Promise<Loaded>;
  /** Loads anew what rests on one of these files. Names the functions that came from there. Throws a `FunctionLoadError`. */
  reload(changed: ReadonlySet<string>): Promise<Loaded & { readonly functions: readonly string[] }>;
}

/** The state of one entry when it was loaded last. */
interface LoadedEntry {
  readonly systems: readonly System[];
  readonly files: readonly string[];
  readonly source: string;
}

/** The same wherever the files lie. */
const digestOf = ({ digests }: FreshModule): string =>
  hash("sha256", [...digests.values()].sort().join("\n"), "base64url").slice(0, 16);

/** Throws a `UsageError` where the selection names what there is not. */
export function createLoader(selection: Selection): Loader {
  const names = selectedSystems(selection.systems);
  const modules = (selection.functions ?? []).map((path) => resolve(path));
  for (const [index, file] of modules.entries())
    if (!existsSync(file))
      throw new UsageError(`--functions ${selection.functions?.[index]}: there is no such file.`);
  const entries = [...names.map(systemEntry), ...modules];
  const behind = new Map(
    selection.run === true
      ? systemsWith("adapters")
          .filter((name) => names.includes(name))
          .map((name) => [systemEntry(name), partFile(name, "adapters")])
      : [],
  );
  const loaded = new Map<string, LoadedEntry>();
  const takesAll = selection.systems !== undefined || selection.own === true;
  const isMeant =
    (file: string) =>
    ({ onlyWhenNamed }: System): boolean =>
      takesAll || onlyWhenNamed === undefined || modules.includes(file);
  const refresh = async (files: readonly string[]): Promise<Loaded> => {
    const fresh = await importFresh(files.map((file) => [file, behind.get(file) ?? []].flat())).catch(
      (thrown: unknown) => {
        throw loadFailure(thrown);
      },
    );
    const next = new Map(loaded);
    for (const file of files) {
      const module = fresh.get(file);
      if (module === undefined) continue;
      const adapters = fresh.get(behind.get(file) ?? "");
      const systems = systemsOf(file, module.exports).filter(isMeant(file));
      next.set(file, {
        systems: adapters === undefined ? systems : systems.map((system) => bound(system, adapters)),
        files: [...module.files, ...(adapters?.files ?? [])],
        // Of what decides alone: a process that runs nothing finds the same.
        source: digestOf(module),
      });
    }
    const all = entries.flatMap((file) => next.get(file) ?? []);
    const systems = all.flatMap((one) => one.systems);
    refuseSameNames(systems);
    refuseSameKinds(systems);
    for (const [file, one] of next) loaded.set(file, one);
    const sources = Object.fromEntries(
      all.flatMap((one) => one.systems.map(({ name }) => [name, one.source] as const)),
    );
    return { systems, modules, files: [...new Set(all.flatMap((one) => one.files))], sources };
  };
  return {
    load: () => refresh(entries),
    async reload(changed) {
      const concerned = entries.filter(
        (file) => changed.has(file) || (loaded.get(file)?.files ?? []).some((one) => changed.has(one)),
      );
      const result = await refresh(concerned);
      const functions = concerned.flatMap((file) =>
        (loaded.get(file)?.systems ?? []).flatMap((system) => system.functions.map(({ name }) => name)),
      );
      return { ...result, functions };
    },
  };
}

/** Loads what is selected, once. Throws a `UsageError`, or a `CliError` that names the module. */
export const loadSystems = (selection: Selection): Promise<Loaded> => createLoader(selection).load();

function selectedSystems(text: string | undefined): readonly string[] {
  const known = knownSystems();
  if (text === undefined) return known;
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 1 && names[0] === "none") return [];
  for (const name of names)
    if (!known.includes(name))
      throw new UsageError(
        `--systems ${text}: there is no system "${name}"; choose from ${[...known, "none"].join(", ")}.`,
      );
  if (names.length === 0)
    throw new UsageError(`--systems wants names; choose from ${[...known, "none"].join(", ")}.`);
  return [...new Set(names)];
}

/** The files that a failed load came upon ride along, so that the next save is the next try. */
export class FunctionLoadError extends CliError {
  readonly files: readonly string[];
  constructor(message: string, files: readonly string[], cause: unknown) {
    super("CLI_FUNCTIONS_INVALID", message, { cause });
    this.files = files;
  }
}

function loadFailure(thrown: unknown): unknown {
  if (!(thrown instanceof ModuleLoadError)) return thrown;
  const { cause, files } = thrown;
  const where = placeOf(cause) ?? files[0] ?? "a module";
  return new FunctionLoadError(`${where} could not be loaded: ${firstLine(messageOf(cause))}`, files, cause);
}

const firstLine = (text: string): string => text.trim().split("\n")[0]?.trim() ?? text;

/** `file:line` from the head of a syntax error's stack, or from the first frame outside the engine. */
function placeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const stack = cause.stack ?? "";
  const head = /^(?:file:\/\/)?(\/[^\n?]+?)(?:\?[^\n:]*)?:(\d+)\n/.exec(stack);
  if (head !== null) return `${head[1]}:${head[2]}`;
  const engine = join(sourceRoot, "infra");
  for (const [, path, line] of stack.matchAll(/file:\/\/([^\s?:)]+)(?:\?[^\s:)]*)?:(\d+)/g))
    if (path !== undefined && !path.startsWith(engine)) return `${decodeURIComponent(path)}:${line}`;
  return undefined;
}

const isFunction = (value: unknown): value is FunctionDeclaration =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "key" in value &&
  "reconcile" in value &&
  typeof value.reconcile === "function";

export const isSystem = (value: unknown): value is System =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "predecessors" in value &&
  "functions" in value &&
  Array.isArray(value.functions);

function systemsOf(file: string, exports: Readonly<Record<string, unknown>>): readonly System[] {
  const values = Object.values(exports).flatMap((value) => (Array.isArray(value) ? value : [value]));
  const systems = [...new Set(values.filter(isSystem))];
  const bound = new Set(systems.flatMap((system) => system.functions));
  const loose = [...new Set(values.filter(isFunction))].filter((one) => !bound.has(one));
  if (systems.length + loose.length === 0)
    throw new FunctionLoadError(
      `${file} exports neither a function nor a system: export what each(Kind).function({…}) or defineSystem({…}) returns.`,
      [file],
      undefined,
    );
  if (loose.length === 0) return systems;
  return [...systems, defineSystem({ name: systemName(file), functions: loose })];
}

function bound(system: System, { exports }: FreshModule): System {
  const { adapters } = exports as { readonly adapters?: SystemAdapters };
  if (adapters === undefined) throw new TypeError(`The adapters of ${system.name} export no \`adapters\`.`);
  return withAdapters(system, adapters);
}

const systemName = (file: string): string =>
  basename(file, extname(file))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, 63) || "own";

function refuseSameNames(systems: readonly System[]): void {
  const owners = new Map<string, string>();
  for (const system of systems)
    for (const { name } of system.functions) {
      const other = owners.get(name);
      if (other !== undefined)
        throw new CliError(
          "CLI_FUNCTIONS_INVALID",
          `Two functions are called ${name} (in ${other} and ${system.name}): a name is also the field manager's, so give each its own.`,
        );
      owners.set(name, system.name);
    }
}

/** A kind that two systems bring along must be the same one: whichever CRD came last would undo the other. */
function refuseSameKinds(systems: readonly System[]): void {
  const known = new Map<string, { readonly system: string; readonly kind: Kind }>();
  // A CRD is made where two are compared: it takes more than all else that is loaded.
  const crd = (kind: Kind): string => JSON.stringify(crdOf(kind));
  for (const system of systems)
    for (const kind of ownKindsOf(system.functions)) {
      const name = `${kind.plural}.${kind.group}`;
      const other = known.get(name);
      if (other !== undefined && crd(other.kind) !== crd(kind))
        throw new CliError(
          "CLI_FUNCTIONS_INVALID",
          `${other.system} and ${system.name} declare the kind ${kind.kind} (${name}) differently, and only one can bring its CRD: give yours a group or name of its own, mark it \`external\` where you only use it, or leave a system out with --systems.`,
        );
      known.set(name, { system: system.name, kind });
    }
}
