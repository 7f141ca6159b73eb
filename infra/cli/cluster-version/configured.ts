import { withSampleConfiguration } from "../../systems/samples.ts";
import type { ConfigOption, StateOption } from "../options.ts";
import { settingsOf } from "../settings.ts";
import { readRunFile, stateDirectory } from "../state-directory.ts";

const SYSTEM = "cluster-version";

/** The system's configuration: of the settings, and where its samples were applied to the folder of `dev`, of these. */
export async function configurationOf({ config, data }: ConfigOption & StateOption): Promise<unknown> {
  const { settings } = await settingsOf({ config, systems: SYSTEM });
  const applied = readRunFile(stateDirectory(data))?.samples.includes(SYSTEM) === true;
  const { configuration } = settings;
  return (applied ? withSampleConfiguration([SYSTEM], configuration) : configuration)[SYSTEM] ?? {};
}
