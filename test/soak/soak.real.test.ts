import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { soak } from "../../infra/soak/soak.ts";
import { natsSoakBus } from "../../infra/soak/soak-bus.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";

const SECONDS = 120;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`two minutes of kills, outages and changes with seed ${seed} leave nothing missed, stale or doubled`, {
  skip: skipWithoutControlPlane({ controllerManager: true }) !== false || skipWithoutNats() !== false,
  timeout: 590_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-soak-"));
  const { missed, stale, findings, failures, sent, answers, blows } = await soak({
    bus: await natsSoakBus(),
    seconds: SECONDS,
    seed,
    folder,
  });
  t.annotate(`${sent.changes} changes, ${answers} answers, ${blows.length} blows`);
  assert.deepEqual(
    { missed, stale, findings, failures },
    { missed: [], stale: [], findings: [], failures: 0 },
  );
  // A load that changes nothing, or chaos that hits nothing, proves nothing.
  assert.ok(sent.changes > SECONDS && answers > SECONDS, `${sent.changes} changes, ${answers} answers`);
  assert.ok(blows.some(({ what }) => what === "started the bus"));
  assert.ok(blows.some(({ what }) => what === "started the API server"));
  assert.ok(blows.some(({ what }) => what.startsWith("killed")));
  // Kept where it failed: settings and logs tell why.
  rmSync(folder, { recursive: true });
});
