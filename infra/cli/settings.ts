import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type EffectiveSettings, type FlagValue, readSettings, SettingsError } from "../settings/index.ts";
import { UsageError } from "./exit.ts";
import type { ClusterOptions, ConfigOption, SelectionOptions } from "./options.ts";
import { knownSystems, type Loaded, loadSystems } from "./systems.ts";

/** Flags that set something; the rest comes from the file and the environment. */
export interface SettingFlags extends ConfigOption, SelectionOptions, ClusterOptions {
  readonly namespace?: string;
  readonly only?: readonly string[];
  readonly watch?: boolean;
  readonly listen?: string;
}

/** The settings of this command line, with the systems that they select. Throws a `SettingsError`. */
export const settingsOf = (flags: SettingFlags): Promise<EffectiveSettings<Loaded>> =>
  readSettings(
    { file: flags.config, environment: process.env, flags: valuesOf(flags) },
    async ({ systems, functions, placeOf }) => {
      const known = knownSystems();
      const faults = [
        ...(systems ?? [])
          .filter((name) => !known.includes(name))
          .map((name) => ({
            path: "systems",
            place: placeOf(["systems"]),
            message: `there is no system "${name}"; choose from ${[...known, "none"].join(", ")}`,
          })),
        ...functions
          .filter((file) => !existsSync(resolve(file)))
          .map((file) => ({
            path: "functions",
            place: placeOf(["functions"]),
            message: `there is no file ${file}`,
          })),
      ];
      if (faults.length > 0) throw new SettingsError(faults);
      return loadSystems({ systems: systems?.length === 0 ? "none" : systems?.join(","), functions });
    },
  );

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
    ...set(["worker", "watch"], flags.watch, "--watch"),
    ...set(["serve", "listen"], flags.listen, "--listen"),
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
