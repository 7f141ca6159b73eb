import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../../shared/function/command-errors.ts";
import {
  type EffectiveSettings,
  type FlagValue,
  readSettings,
  type SettingFault,
  SettingsError,
} from "../settings/index.ts";
import { knownSystems } from "../systems/known.ts";
import { type Loaded, loadSystems, type Selection } from "../systems/load.ts";

/** Flags that set something; the rest comes from the file and the environment. */
export interface SettingFlags {
  readonly config?: string | undefined;
  readonly systems?: string | undefined;
  readonly functions?: readonly string[] | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly listen?: string | undefined;
  readonly prefix?: string | undefined;
}

/**
 * The settings of this command line, with the systems that they select.
 * @throws SettingsError for file and environment, `UsageError` for flags
 */
export const settingsOf = (
  flags: SettingFlags,
  load: (selection: Selection) => Promise<Loaded> = loadSystems,
): Promise<EffectiveSettings<Loaded>> =>
  readSettings(
    { file: flags.config, environment: process.env, flags: valuesOf(flags) },
    async ({ systems, functions, placeOf }) => {
      const faults = [
        ...unknownSystems(systems ?? [], placeOf(["systems"])),
        ...missingModules(functions, placeOf(["functions"])),
      ];
      // What a flag names is refused as such where it is loaded.
      const refused = faults.filter(({ place }) => !place.startsWith("--"));
      if (refused.length > 0) throw new SettingsError(refused);
      return load({ systems: systems?.length === 0 ? "none" : systems?.join(","), functions });
    },
  );

function unknownSystems(names: readonly string[], place: string): readonly SettingFault[] {
  const known = knownSystems();
  if (names.length === 1 && names[0] === "none") return [];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: "systems",
      place,
      message: `there is no system "${name}"; choose from ${[...known, "none"].join(", ")}`,
    }));
}

const missingModules = (files: readonly string[], place: string): readonly SettingFault[] =>
  files
    .filter((file) => !existsSync(resolve(file)))
    .map((file) => ({ path: "functions", place, message: `there is no file ${file}` }));

function valuesOf(flags: SettingFlags): readonly FlagValue[] {
  const { systems } = flags;
  const set = (path: readonly string[], value: unknown, flag: string): readonly FlagValue[] =>
    value === undefined ? [] : [{ path, value, flag }];
  return [
    ...set(["systems"], systems === undefined ? undefined : namesIn(systems), "--systems"),
    ...set(["functions"], flags.functions, "--functions"),
    ...set(["cluster", "kubeconfig"], flags.kubeconfig, "--kubeconfig"),
    ...set(["cluster", "context"], flags.context, "--context"),
    ...set(["namespaces"], flags.namespace === undefined ? undefined : [flags.namespace], "--namespace"),
    ...set(["worker", "only"], flags.only, "--only"),
    ...set(["serve", "listen"], flags.listen, "--listen"),
    ...set(["bus", "nats", "prefix"], flags.prefix, "--prefix"),
  ];
}

function namesIn(text: string): readonly string[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new UsageError("--systems wants names, or none.");
  return names.length === 1 && names[0] === "none" ? [] : names;
}
