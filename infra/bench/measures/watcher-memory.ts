import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { bundle } from "../../deploy/bundle.ts";
import { skipWithoutNats, startNatsServer } from "../../testing/nats-server.ts";
import { memoryOf, missingProc } from "../machine.ts";
import type { Bench, Figure, Measure } from "../measure.ts";
import { short } from "../numbers.ts";
import { programFile, startProgram } from "../program.ts";

const SETTLE_MILLISECONDS = 12_000;

const kubeconfig = (server: string) => ({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "bench",
  contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
  clusters: [{ name: "bench", cluster: { server } }],
  users: [{ name: "bench", user: {} }],
});

/** @param nats the server that it is connected to; absent: it publishes to nobody */
async function restingWith(objects: number, program: string, bench: Bench, nats?: string): Promise<Figure> {
  const limit = nats === undefined ? 72 : 76;
  let server = "";
  const list = await startProgram([programFile("programs/list-server.ts"), String(objects)], {
    isReady: (line) => {
      server = line;
      return line.startsWith("http");
    },
  });
  bench.after(() => list.stop());
  const file = join(bench.folder, `kubeconfig-${objects}`);
  writeFileSync(file, JSON.stringify(kubeconfig(server)));
  const environment = { KUBECONFIG: file };
  const folder = mkdtempSync(join(bench.folder, `${objects}-`));
  const start = () => startProgram([program, folder, ...(nats === undefined ? [] : [nats])], { environment });
  // The first one meets all objects and keeps its ledger; what is measured goes on from there, as after a roll-out.
  await (await start()).stop();
  const watcher = await start();
  await pause(SETTLE_MILLISECONDS);
  const { resident, anonymous } = memoryOf(watcher.pid);
  await watcher.stop();
  const connected = nats === undefined ? "" : ", connected to NATS";
  return {
    budget: `watcher at rest, ${objects.toLocaleString("en")} objects of 3 KB${connected}: resident ≤ ${limit} MiB, anonymous ≤ 32 MiB`,
    measured: `${short(resident)} MiB, ${short(anonymous)} MiB`,
    ok: resident <= limit && anonymous <= 32,
  };
}

export const watcherMemory: Measure = {
  name: "watcher-memory",
  missing: missingProc,
  run: async (bench) => {
    const { file } = await bundle(programFile("programs/watcher.ts"), join(bench.folder, "watcher.mjs"));
    const figures: Figure[] = [];
    for (const objects of [1_000, 10_000, 100_000]) figures.push(await restingWith(objects, file, bench));
    if (skipWithoutNats() !== false) return figures;
    const nats = await startNatsServer();
    bench.after(() => nats.stop());
    return [...figures, await restingWith(10_000, file, bench, nats.url)];
  },
};
