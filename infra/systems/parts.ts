import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SystemAdapters } from "../../shared/function/adapters.ts";
import type { SystemCommands } from "../../shared/function/command.ts";
import type { SystemMetrics } from "../../shared/function/metrics.ts";
import type { SystemSimulation } from "../../shared/function/simulation.ts";
import { systemFolder, systemFolders } from "./known.ts";

/** The parts that a system's folder may hold beside its functions: the name of the file is the name of its export. */
export interface SystemParts {
  /** The real thing behind its ports: loaded where its functions run. */
  readonly adapters: SystemAdapters;
  /** `reveille <system> …`: loaded when that word is typed. */
  readonly commands: SystemCommands;
  /** The metrics that are told at a scrape: loaded by hosts that run its functions. */
  readonly metrics: SystemMetrics;
  /** The components that `dev` simulates for it. */
  readonly simulate: SystemSimulation;
}

const extension = extname(import.meta.filename);
/** The file of a part, if the system has it. */
export const partFile = (system: string, part: keyof SystemParts): string =>
  join(systemFolder(system), `${part}${extension}`);

/** The systems that bring this part along. */
export const systemsWith = (part: keyof SystemParts): readonly string[] =>
  systemFolders().filter((system) => existsSync(partFile(system, part)));

/** Loads one part of one system; undefined where it has none. */
export async function partOf<Part extends keyof SystemParts>(
  system: string,
  part: Part,
): Promise<SystemParts[Part] | undefined> {
  if (!systemsWith(part).includes(system)) return undefined;
  const file = partFile(system, part);
  const loaded = (await import(pathToFileURL(file).href)) as Readonly<Partial<SystemParts>>;
  const found = loaded[part];
  if (found === undefined) throw new TypeError(`${file} exports no \`${part}\`.`);
  return found;
}
