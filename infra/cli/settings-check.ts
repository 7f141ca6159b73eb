import { readFileSync } from "node:fs";
import { COMMANDS } from "../../shared/function/commands.ts";
import {
  type EffectiveSettings,
  type SettingFault,
  type SettingPath,
  SettingsError,
} from "../settings/index.ts";
import { functionsOf } from "./install/declared.ts";
import type { Loaded } from "./systems.ts";

const ONLY = ["worker", "only"];

/** A worker that waits for work of a function that nobody has would look well and do nothing. Throws a `SettingsError`. */
export function refuseUnknownFunctions({ settings, loaded, placeOf }: EffectiveSettings<Loaded>): void {
  const known = [...functionsOf(loaded.systems).map(({ name }) => name), COMMANDS];
  const place = placeOf(ONLY) ?? "";
  const faults = (settings.worker.only ?? [])
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: ONLY.join("."),
      place,
      message: `there is no function "${name}"; choose from ${known.join(", ")}`,
    }));
  if (faults.length > 0) throw new SettingsError(faults);
}

/** Files of secrets that are here and hold none. They may lie elsewhere, and be written later: what is not here is no fault. */
export function refuseEmptySecretFiles({ settings, placeOf }: EffectiveSettings<unknown>): void {
  const { callers, triggers } = settings.serve;
  const files: readonly (readonly [SettingPath, string | undefined])[] = [
    ...Object.entries(callers).map(
      ([name, { tokenFile }]) => [["serve", "callers", name, "tokenFile"], tokenFile] as const,
    ),
    ...Object.entries(triggers).map(
      ([name, { secretFile }]) => [["serve", "triggers", name, "secretFile"], secretFile] as const,
    ),
    [["bus", "nats", "credentialsFile"], settings.bus.nats?.credentialsFile],
  ];
  const faults = files.flatMap(([path, file]): readonly SettingFault[] =>
    file === undefined || !isEmpty(file)
      ? []
      : [
          {
            path: path.join("."),
            place: placeOf(path) ?? "",
            message: `${file} is empty: write the secret there`,
          },
        ],
  );
  if (faults.length > 0) throw new SettingsError(faults);
}

function isEmpty(file: string): boolean {
  try {
    return readFileSync(file, "utf8").trim() === "";
  } catch {
    // Not here, or not for this user to read: whoever runs with it says so.
    return false;
  }
}
