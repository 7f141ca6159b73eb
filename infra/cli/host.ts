import { systemClock } from "../../shared/clock/clock.ts";
import { exitCodes } from "../../shared/function/command-errors.ts";
import type { HostOptions } from "../hosts/index.ts";
import { loadSystems } from "../systems/load.ts";
import { version } from "../systems/package.ts";
import { watchInterrupts } from "./dev/interrupts.ts";
import { jsonLog } from "./log.ts";
import { type SettingFlags, settingsOf } from "./settings.ts";
import { refuseUnknownFunctions } from "./settings-check.ts";

/** Beyond the time for runs: for the bus and the last traces. */
const ENDING_MILLISECONDS = 4_000;

/** Runs a host until SIGTERM or Ctrl-C; a second one ends at once. */
export async function untilInterrupted(
  name: HostOptions["name"],
  flags: SettingFlags,
  run: (options: Omit<HostOptions, "name">) => Promise<void>,
): Promise<void> {
  const effective = await settingsOf(flags, (selection) =>
    loadSystems({ ...selection, run: name !== "watcher" }),
  );
  if (name === "worker" || name === "run") refuseUnknownFunctions(effective);
  const { settings, loaded } = effective;
  const log = jsonLog(settings.log.level, { host: name });
  const interrupts = watchInterrupts(() => {
    systemClock.after(settings.drain.limit + ENDING_MILLISECONDS, () => {
      log.error({}, "it did not end in time and is cut off; what it ran is given back when its lease ends");
      process.exit(exitCodes.failed);
    });
  });
  try {
    await run({
      version,
      settings,
      systems: loaded.systems,
      sources: loaded.sources,
      clock: systemClock,
      log,
      signal: interrupts.signal,
    });
  } finally {
    interrupts.stop();
  }
}
