import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cpuSecondsOf, memoryOf, missingProc } from "../machine.ts";
import type { Measure } from "../measure.ts";
import { short } from "../numbers.ts";
import { startProgram } from "../program.ts";

const root = join(import.meta.dirname, "../../..");

/** Resolves when the process has done next to nothing for two seconds. */
async function rests(pid: number): Promise<void> {
  for (let quiet = 0, seconds = 0; quiet < 2 && seconds < 60; seconds++) {
    const before = cpuSecondsOf(pid);
    await pause(1_000);
    quiet = cpuSecondsOf(pid) - before < 0.05 ? quiet + 1 : 0;
  }
}

/** The milliseconds after which the samples are at rest, or will not be. */
const LATEST = 90_000;

/** The words that `npm start` gives to node. */
function startCommand(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(" ").slice(1);
}

/** `npm start` on an empty folder, with the samples. */
export const start: Measure = {
  name: "start",
  missing: missingProc,
  run: async (bench) => {
    const dev = [...startCommand(), "--data", join(bench.folder, "state"), "--log", "json"];
    const began = performance.now();
    const rest = Promise.withResolvers<number>();
    const program = await startProgram(dev, {
      cwd: root,
      isReady: (line) => /"msg":"ready/i.test(line),
      onLine: (line) => {
        if (/"msg":"settled/.test(line)) rest.resolve(performance.now() - began);
      },
    });
    bench.after(() => program.stop());
    const settled = await Promise.race([rest.promise, pause(LATEST, Number.POSITIVE_INFINITY)]);
    await rests(program.pid);
    const { resident, anonymous } = memoryOf(program.pid);
    return [
      {
        budget: "start to ready ≤ 3 s",
        measured: `${short(program.started / 1000)} s`,
        ok: program.started <= 3_000,
      },
      {
        budget: "start to the samples of all systems at rest ≤ 30 s",
        measured: `${short(settled / 1000)} s`,
        ok: settled <= 30_000,
      },
      {
        budget: "npm start after the samples: resident ≤ 320 MiB",
        measured: `${short(resident)} MiB (anonymous ${short(anonymous)})`,
        ok: resident <= 320,
      },
    ];
  },
};
