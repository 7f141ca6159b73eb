import type { System } from "../../../shared/function/system.ts";
import { knownSystems } from "../../systems/known.ts";
import { type Loaded, loadSystems, type Selection } from "../../systems/load.ts";
import { type BusChoice, isConfigured } from "../chosen-bus.ts";
import { settingsOf } from "../settings.ts";
import { type RunFile, readRunFile, stateDirectory } from "../state-directory.ts";

/** The systems that run, or ran last, on a data directory. */
export function selectionOfRun({ systems, modules }: RunFile): Required<Omit<Selection, "own" | "run">> {
  const builtin = systems.filter((name) => knownSystems().includes(name));
  return { systems: builtin.length === 0 ? "none" : builtin.join(","), functions: modules };
}

export const systemsOfRun = async (run: RunFile): Promise<readonly System[]> =>
  (await loadSystems(selectionOfRun(run))).systems;

/** Loads what is selected, with what its functions need to run here. */
export const loadToRun = (selection: Selection): Promise<Loaded> => loadSystems({ ...selection, run: true });

/** The kinds that people may name: those of the settings, of what runs on the data directory, else of all that comes along. */
export async function kindsMeant(choice: BusChoice): Promise<RunFile["kinds"]> {
  const run = isConfigured(choice) ? undefined : readRunFile(stateDirectory(choice.data));
  if (run !== undefined) return run.kinds;
  const { functionsOf, knownKindsOf } = await import("../../systems/declared.ts");
  const { loaded } = await settingsOf({ config: choice.config });
  return knownKindsOf(functionsOf(loaded.systems));
}
