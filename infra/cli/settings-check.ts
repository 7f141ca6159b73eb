import { readFileSync } from "node:fs";
import { messageOf } from "../../shared/errors.ts";
import { COMMANDS } from "../../shared/function/commands.ts";
import { KubeconfigError, loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import { secretFaults, unprovableCallers } from "../hosts/serve-secrets.ts";
import {
  type EffectiveSettings,
  type SettingFault,
  type SettingPath,
  type Settings,
  SettingsError,
} from "../settings/index.ts";
import { functionsOf } from "../systems/declared.ts";
import type { Loaded } from "../systems/load.ts";

const ONLY = ["worker", "only"];

/** A worker that waits for work of a function that nobody has would look well and do nothing. Throws a `SettingsError`. */
export const refuseUnknownFunctions = (effective: EffectiveSettings<Loaded>): void =>
  refuse(unknownFunctions(effective));

/** All that is wrong with settings which by themselves fit, at once. Throws a `SettingsError`. */
export const refuseUnusable = (effective: EffectiveSettings<Loaded>): void =>
  refuse([...unknownFunctions(effective), ...unusableFiles(effective)]);

const refuse = (faults: readonly SettingFault[]): void => {
  if (faults.length > 0) throw new SettingsError(faults);
};

function unknownFunctions({ settings, loaded, placeOf }: EffectiveSettings<Loaded>): readonly SettingFault[] {
  const known = [...functionsOf(loaded.systems).map(({ name }) => name), COMMANDS];
  const place = placeOf(ONLY) ?? "";
  return (settings.worker.only ?? [])
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: ONLY.join("."),
      place,
      message: `there is no function "${name}"; choose from ${known.join(", ")}`,
    }));
}

/** Files that whoever runs with these settings must find: missing, unreadable or empty, and secrets that prove too little. */
function unusableFiles({ settings, placeOf }: EffectiveSettings<unknown>): readonly SettingFault[] {
  const { cluster, serve, bus } = settings;
  const { certificate, key, clientAuthority } = serve.tls ?? {};
  const files: readonly (readonly [SettingPath, string | undefined])[] = [
    [["cluster", "kubeconfig"], cluster.kubeconfig],
    [["serve", "tls", "certificate"], certificate],
    [["serve", "tls", "key"], key],
    [["serve", "tls", "clientAuthority"], clientAuthority],
    [["bus", "nats", "credentialsFile"], bus.nats?.credentialsFile],
  ];
  const unusable = files.flatMap(([path, file]) => {
    const message = file === undefined ? undefined : fileFault(file);
    return message === undefined ? [] : [{ path, message }];
  });
  return [
    ...unusable,
    ...kubeconfigFaults(cluster, unusable),
    ...secretFaults(serve),
    ...unprovableCallers(serve),
  ].map(({ path, message }): SettingFault => ({ path: path.join("."), place: placeOf(path) ?? "", message }));
}

/** A kubeconfig that is there and says nothing, or does not know the context. */
function kubeconfigFaults(
  { kubeconfig, context }: Settings["cluster"],
  unusable: readonly { readonly path: SettingPath }[],
): readonly { readonly path: SettingPath; readonly message: string }[] {
  if (kubeconfig === undefined || unusable.some(({ path }) => path[1] === "kubeconfig")) return [];
  try {
    loadConnection({ file: kubeconfig, context });
    return [];
  } catch (thrown) {
    if (!(thrown instanceof KubeconfigError)) throw thrown;
    return [{ path: ["cluster", "kubeconfig"], message: thrown.message }];
  }
}

function fileFault(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() === "" ? `${file} is empty` : undefined;
  } catch (thrown) {
    return `it cannot be read: ${messageOf(thrown)}`;
  }
}
