import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { parseDocument } from "yaml";
import type * as z from "zod";
import { messageOf } from "../../errors.ts";
import { KubeconfigError } from "./errors.ts";
import { kubeconfigSchema } from "./schema.ts";

/** An entry of a kubeconfig and the file it stands in: relative paths in it start there. */
export interface Entry {
  readonly file: string;
  readonly value: unknown;
}

/** Several kubeconfig files as one: of two entries with one name the first counts. */
export interface MergedKubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
}

/** Reads a file that a kubeconfig (or the user) names. */
export function readNamed(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new KubeconfigError(
      missing && what === "kubeconfig" ? "KUBECONFIG_NOT_FOUND" : "KUBECONFIG_UNREADABLE",
      `The ${what} ${file} ${missing ? "does not exist: correct its path" : `cannot be read (${messageOf(error)}): check its permissions`}`,
      { cause: error },
    );
  }
}

/** A path in a kubeconfig starts at the folder of its file. */
export const pathBeside = (file: string, path: string): string =>
  isAbsolute(path) ? path : resolve(dirname(file), path);

/** The first fault of a zod error, as `path: message`. */
export function faultOf(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("");
  return `${path ? path.replace(/^\./, "") : "it"}: ${issue?.message ?? "not valid"}`;
}

function parseFile(file: string): z.output<typeof kubeconfigSchema> {
  const document = parseDocument(readNamed(file, "kubeconfig"), { uniqueKeys: false });
  const [fault] = document.errors;
  if (fault !== undefined)
    throw new KubeconfigError(
      "KUBECONFIG_INVALID",
      `The kubeconfig ${file} is no YAML: ${fault.message.split("\n")[0]?.replace(/:$/, "")}. Correct it, or name another with --kubeconfig`,
      { cause: fault },
    );
  const parsed = kubeconfigSchema.safeParse(document.toJS() ?? {});
  if (!parsed.success)
    throw new KubeconfigError(
      "KUBECONFIG_INVALID",
      `The kubeconfig ${file} is not valid: ${faultOf(parsed.error)}`,
      { cause: parsed.error },
    );
  return parsed.data;
}

export interface WhereToLook {
  /** The only file to read. */
  readonly file?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  readonly homeDirectory?: string | undefined;
}

/** The files that kubectl would read. A list in KUBECONFIG may name files that do not exist; a single named file may not. */
export function kubeconfigFiles({
  file,
  environment = process.env,
  homeDirectory = homedir(),
}: WhereToLook): readonly string[] {
  if (file !== undefined) return [resolve(file)];
  const listed = (environment.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  const paths =
    listed.length > 0 ? listed.map((path) => resolve(path)) : [join(homeDirectory, ".kube", "config")];
  const present = [...new Set(paths)].filter((path) => existsSync(path));
  if (present.length === 0 && listed.length > 0)
    throw new KubeconfigError(
      "KUBECONFIG_NOT_FOUND",
      `No file that KUBECONFIG names exists (${listed.join(", ")}): correct it, or unset it`,
    );
  return present;
}

/** Reads the files and merges them as kubectl does. */
export function readKubeconfigs(files: readonly string[]): MergedKubeconfig {
  const clusters = new Map<string, Entry>();
  const contexts = new Map<string, Entry>();
  const users = new Map<string, Entry>();
  const keep = (map: Map<string, Entry>, name: string, file: string, value: unknown): void => {
    if (!map.has(name)) map.set(name, { file, value: value ?? {} });
  };
  let currentContext: string | undefined;
  for (const file of files) {
    const parsed = parseFile(file);
    currentContext ||= parsed["current-context"] ?? undefined;
    for (const { name, cluster } of parsed.clusters ?? []) keep(clusters, name, file, cluster);
    for (const { name, context } of parsed.contexts ?? []) keep(contexts, name, file, context);
    for (const { name, user } of parsed.users ?? []) keep(users, name, file, user);
  }
  return { files, currentContext, clusters, contexts, users };
}
