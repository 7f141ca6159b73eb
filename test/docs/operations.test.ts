import assert from "node:assert/strict";
import { it } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../../infra/hosts/metrics.ts";
import { openMemoryBus } from "../../infra/testing/memory-bus.ts";
import { newCounters } from "../../infra/watcher/counters.ts";
import type { WatcherPosition } from "../../infra/watcher/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { silent } from "../../shared/log/log.ts";
import { blocksOf, tableOf, textOf } from "./pages.ts";

const page = "docs/operations.md";

const position: WatcherPosition = {
  cluster: "one",
  era: 0,
  leader: true,
  holder: undefined,
  term: undefined,
  publishing: true,
  dirty: 0,
  counters: newCounters(),
  streams: [],
};

/** What a host that is all in one would tell. */
async function toldMetrics(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics({ version: "1", host: "worker", clock: systemClock, log: silent });
  const bus = openMemoryBus({ route: () => [], clock: systemClock });
  try {
    metrics.ofBus(bus, []);
    metrics.ofClient({ answers: {} });
    metrics.ofConnections({ names: ["api"], isAway: () => false });
    metrics.ofClusters({ all: [] });
    metrics.ofPauses(async () => []);
    metrics.ofSecrets(() => []);
    metrics.ofBeats(() => new Map());
    metrics.ofWatcher({ position: () => position });
    const names = [...(await metrics.text()).matchAll(/^# TYPE (reveille_\w+)/gm)];
    return new Set(names.map(([, name = ""]) => name));
  } finally {
    await bus.close();
  }
}

it("docs/operations.md lists every metric, and alerts on nothing else", async () => {
  const told = await toldMetrics();
  const listed = tableOf(page, "metric", "labels", "meaning").map(([name = ""]) => name.replaceAll("`", ""));
  assert.deepEqual(listed.toSorted(), [...told].sort());
  const known = new Set([...told].flatMap((name) => [name, `${name}_sum`, `${name}_count`]));
  for (const [name] of textOf(page).matchAll(/\breveille_[a-z_]+\b/g)) assert.ok(known.has(name), name);
  const [alerts] = blocksOf(page).filter(({ language }) => language === "yaml");
  const { groups } = parse(alerts?.text ?? "") as {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string }[];
    }[];
  };
  assert.ok((groups[0]?.rules.length ?? 0) >= 5);
  assert.deepEqual({ groups }, parse(textOf("infra/deploy/alerts.yaml")), "what the chart brings");
});
